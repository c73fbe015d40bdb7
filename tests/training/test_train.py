"""Training itself, on a tiny model. Needs torch: run by `make test-train`."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.train


class Quiet:
    """Keeps what it is told."""

    def __init__(self, stop_after: int | None = None) -> None:
        self.steps: list[int] = []
        self.messages: list[str] = []
        self._stop_after = stop_after

    def message(self, text: str) -> None:
        self.messages.append(text)

    def step_done(self, step: int, steps: int, loss: float, seconds: float) -> None:
        self.steps.append(step)
        if step == self._stop_after:
            raise KeyboardInterrupt


def test_packed_lines_lose_what_they_lose_alone(real_learner) -> None:  # type: ignore[no-untyped-def]
    """A branch in a packed row has the loss of the same tokens as a sequence of their own."""
    import torch

    from pipeline.training.examples import Tree
    from pipeline.training.packing import pack

    learner, trees = real_learner
    with torch.no_grad():
        together = learner.losses(pack([trees, trees[:1]]))
        alone = torch.cat(
            [
                learner.losses(pack([[Tree(tree.trunk, (branch,))]]))
                for row in (trees, trees[:1])
                for tree in row
                for branch in tree.branches
            ]
        )
    # bfloat16 keeps eight bits: sums in another order differ by some hundredths.
    assert float((together - alone).abs().max()) < 0.15
    assert float((together - alone).abs().mean()) < 0.03


def test_an_interrupted_training_ends_where_an_undisturbed_one_does(training) -> None:  # type: ignore[no-untyped-def]
    whole = training("whole", Quiet())
    with pytest.raises(KeyboardInterrupt):
        training("cut", Quiet(stop_after=2))
    rest = Quiet()
    resumed = training("cut", rest)
    assert rest.steps[0] == 3
    assert any("Going on from step 2" in text for text in rest.messages)
    assert Path(resumed.adapter).read_bytes() == Path(whole.adapter).read_bytes()
    assert resumed.record == whole.record
    assert whole.record.loss_after["all"] < whole.record.loss_before["all"]
