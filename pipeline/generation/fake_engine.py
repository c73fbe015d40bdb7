"""An engine without a model, for tests. Its identity says so: nothing baked with it can pass for real."""

from __future__ import annotations

import hashlib
import os
import re
import signal
import time
from collections.abc import Callable, Sequence

from pipeline.errors import UserError
from pipeline.generation.engine import Candidate, EngineIdentity, GenerationStats, LineRequest, VariantRequest, WayBack
from pipeline.generation.sampling import seed_of
from pipeline.generation.settings import EngineSettings

Voice = Callable[[LineRequest, VariantRequest, int, int], str]
"""Writes a candidate from the request, the variant, the candidate's index and its seed."""

Find = Callable[[WayBack, str], float]
"""How surely the base text is found in a text, mean nats per token."""

_OPENERS = ("", "Look, ", "Right, ", "Yeah, ", "Well, ")
_TAILS = ("", " That's all.", " As it is.", " Same as ever.")
_LABEL = re.compile(r"^[A-Za-z][A-Za-z ]{0,20}:\s*")
_WORD = re.compile(r"\w+|[^\w\s]")


class FakeEngine:
    """Implements `Engine` by small deterministic edits of the base text that it finds in the prompt.

    The environment steers it where a test runs the whole program: VOICEBAKE_FAKE_DELAY (seconds per line),
    VOICEBAKE_FAKE_KILL_AFTER (the process kills itself in the line after that many), VOICEBAKE_FAKE_FAIL_AFTER (raises
    `UserError` there).
    """

    def __init__(
        self,
        settings: EngineSettings | None = None,
        *,
        voice: Voice | None = None,
        find: Find | None = None,
        delay: float = 0.0,
        kill_after: int | None = None,
        fail_after: int | None = None,
    ) -> None:
        self._settings = settings or EngineSettings()
        self._voice = voice or edited_base
        self._find = find or unlike
        self._delay = delay
        self._kill_after = kill_after
        self._fail_after = fail_after
        self.requests: list[LineRequest] = []
        """What was asked, in order."""
        self.measured: list[tuple[WayBack, str]] = []
        """What was measured, in order."""

    @classmethod
    def from_environment(cls, settings: EngineSettings) -> FakeEngine:
        """A fake engine as the environment's variables say. Raises `UserError` for one that is no number."""
        delay = _number("VOICEBAKE_FAKE_DELAY")
        kill_after, fail_after = _number("VOICEBAKE_FAKE_KILL_AFTER"), _number("VOICEBAKE_FAKE_FAIL_AFTER")
        return cls(
            settings,
            delay=delay or 0.0,
            kill_after=None if kill_after is None else int(kill_after),
            fail_after=None if fail_after is None else int(fail_after),
        )

    @property
    def identity(self) -> EngineIdentity:
        return EngineIdentity(
            engine="fake",
            model_name="fake engine, no model",
            model_sha256=hashlib.sha256(b"voicebake fake engine 1").hexdigest(),
            model_license="none",
            profile=self._settings.profile or "base",
            sampler=self._settings.sampler,
            width=self._settings.width,
            override=False,
        )

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Words and punctuation marks of each text: close to a real tokeniser's count for plain English."""
        return [len(_WORD.findall(text)) for text in texts]

    def generate(self, request: LineRequest) -> tuple[list[Candidate], GenerationStats]:
        """Candidates as the voice writes them. Raises `UserError`, or kills this process, where it was told to."""
        started = time.perf_counter()
        if self._kill_after is not None and len(self.requests) >= self._kill_after:
            os.kill(os.getpid(), signal.SIGKILL)
        if self._fail_after is not None and len(self.requests) >= self._fail_after:
            raise UserError("The fake engine fails here, as it was told.", "Unset VOICEBAKE_FAKE_FAIL_AFTER.")
        self.requests.append(request)
        if self._delay:
            time.sleep(self._delay)
        found = [self._candidate(request, v, i) for v in request.variants for i in range(request.candidates)]
        prompts = self.count_tokens(["".join(variant.prompt_parts) for variant in request.variants])
        seconds = time.perf_counter() - started
        return found, GenerationStats(sum(prompts), sum(candidate.tokens for candidate in found), seconds)

    def measure(self, way: WayBack, texts: Sequence[str]) -> tuple[list[float], GenerationStats]:
        """What it was told to find."""
        self.measured += [(way, text) for text in texts]
        counted = self.count_tokens([f"{way.before}{text}{way.after}{way.answer}" for text in texts])
        return [self._find(way, text) for text in texts], GenerationStats(sum(counted), 0, 0.0)

    def close(self) -> None:
        """Nothing is held."""

    def _candidate(self, request: LineRequest, variant: VariantRequest, index: int) -> Candidate:
        text = self._voice(request, variant, index, seed_of(request.fingerprint, request.round, variant.variant, index))
        return Candidate(variant.variant, index, text, finished=True, tokens=self.count_tokens([text])[0])


def edited_base(request: LineRequest, variant: VariantRequest, index: int, seed: int) -> str:
    """The base text with an opener and a tail chosen by the seed; the first candidate of round 0 is the base text."""
    base = base_in_prompt(variant.prompt_parts)
    if request.round == 0 and index == 0:
        return base
    opener, tail = _OPENERS[seed % len(_OPENERS)], _TAILS[seed // len(_OPENERS) % len(_TAILS)]
    return (opener + (base[:1].lower() + base[1:] if opener else base)) + tail


def unlike(way: WayBack, text: str) -> float:
    """0 for the base text itself, down to -1 for a text that shares no word with it."""
    asked, said = set(_WORD.findall(way.answer.lower())), set(_WORD.findall(text.lower()))
    return len(asked & said) / max(len(asked), 1) - 1


def base_in_prompt(parts: Sequence[str]) -> str:
    """The prompt's last line with a label for the base text, else its last line that is no bare label."""
    lines = [line.strip() for line in "".join(parts).splitlines() if line.strip()]
    for line in reversed(lines):
        if line.lower().startswith(("speech:", "action:")) and _LABEL.match(line):
            return _LABEL.sub("", line).strip('" ')
    spoken = [line for line in lines if not line.endswith(":")]
    return _LABEL.sub("", spoken[-1]).strip('" ') if spoken else ""


def _number(name: str) -> float | None:
    text = os.environ.get(name)
    if not text:
        return None
    try:
        return float(text)
    except ValueError as error:
        raise UserError(f"{name} is {text!r}.", "Give a number.") from error
