from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from pipeline.content.problems import ContentErrors
from pipeline.content.terms import TellState
from pipeline.content.voice_bank import BankLine, bank_path, load_bank
from pipeline.errors import UserError
from pipeline.project import Project
from tests.bank_factory import bank_text, write_bank
from tests.content_factory import write_project

REPOSITORY = Project(Path(__file__).parents[2])


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return write_project(tmp_path)


def test_a_form_for_every_state_in_the_order_of_the_states(project: Project) -> None:
    write_bank(project, bank_text([("dialogue", "The pump is broken.")]))
    loaded = load_bank(project, "van_maanens_star")
    assert loaded is not None
    line = loaded.bank.lines[0]
    assert [line.voiced.of(state) for state in TellState] == [
        f"The pump is broken. {state.value}" for state in TellState
    ]


def test_a_culture_without_a_bank_has_none(project: Project) -> None:
    assert load_bank(project, "van_maanens_star") is None


def test_an_id_that_leads_out_of_the_folder_is_refused(project: Project) -> None:
    with pytest.raises(UserError):
        bank_path(project, "../van_maanens_star")


def test_a_base_text_twice_is_shown_at_both_places(project: Project) -> None:
    write_bank(project, bank_text([("dialogue", "Same."), ("behavior", "Same."), ("dialogue", "Same.")]))
    with pytest.raises(ContentErrors) as caught:
        load_bank(project, "van_maanens_star")
    text = str(caught.value)
    assert "in the bank already" in text
    assert "first here" in text


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ('(lines: [(kind: dialogue, base: "A.")])', "voiced"),
        ('(lines: [(kind: speech, base: "A.", voiced: ())])', "speech"),
        ("(lines: [])", "at least 1 item"),
        ("(lines: [", "voice_bank.ron:1:"),
    ],
)
def test_mistakes_name_the_file_and_what_is_wrong(project: Project, written: str, said: str) -> None:
    write_bank(project, written)
    with pytest.raises(ContentErrors) as caught:
        load_bank(project, "van_maanens_star")
    assert said in str(caught.value)
    assert "voice_bank.ron" in str(caught.value)


def test_the_digest_leaves_comments_and_layout_alone(project: Project) -> None:
    text = bank_text([("dialogue", "The pump is broken.")])
    digests = set()
    for written in (text, "// a remark\n" + text, text.replace("    ", "  ")):
        write_bank(project, written)
        loaded = load_bank(project, "van_maanens_star")
        assert loaded is not None
        digests.add(loaded.digest)
    assert len(digests) == 1
    write_bank(project, text.replace("Nervous", "Quick"))
    loaded = load_bank(project, "van_maanens_star")
    assert loaded is not None
    assert loaded.digest not in digests


def test_what_is_held_out_depends_on_the_base_text_alone() -> None:
    loaded = load_bank(REPOSITORY, "van_maanens_star")
    assert loaded is not None
    for line in loaded.bank.lines:
        first = hashlib.sha256(line.base.encode()).digest()[:8]
        assert line.held_out is (int.from_bytes(first, "big") % 10 == 0)
        changed = line.model_copy(update={"traits": ("loud",), "voiced": loaded.bank.lines[0].voiced})
        assert changed.held_out is line.held_out


@pytest.mark.parametrize(("culture", "at_least"), [("van_maanens_star", 500), ("sovari", 250)])
def test_the_banks_of_this_project_are_large_and_varied(culture: str, at_least: int) -> None:
    loaded = load_bank(REPOSITORY, culture)
    assert loaded is not None
    lines = loaded.bank.lines
    assert len(lines) >= at_least
    for state in TellState:
        texts = [line.voiced.of(state) for line in lines]
        for mark in ("...", "…", "—", "–"):
            assert sum(mark in text for text in texts) <= len(texts) / 4, (state, mark)
        openers = [text.split()[0].lower().strip(".,;:!?") for text in texts]
        most = max(set(openers), key=openers.count)
        assert openers.count(most) <= len(texts) / 4, (state, most)


@pytest.mark.parametrize("culture", ["van_maanens_star", "sovari"])
def test_states_show_in_the_words(culture: str) -> None:
    """Every form differs from Neutral in more than punctuation, but for a handful of very short lines."""
    loaded = load_bank(REPOSITORY, culture)
    assert loaded is not None
    same = [
        (line.base, state.value)
        for line in loaded.bank.lines
        for state in TellState
        if state is not TellState.Neutral and _words(line, state) == _words(line, TellState.Neutral)
    ]
    assert len(same) <= 0.01 * len(loaded.bank.lines) * 5, same


def _words(line: BankLine, state: TellState) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in line.voiced.of(state).lower()).split()
