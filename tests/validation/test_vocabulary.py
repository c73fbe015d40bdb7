"""The word lists and their matcher, on traps, disguises and good lines."""

from __future__ import annotations

import csv
import json

import pytest

from pipeline.content.models import Content, Term
from pipeline.content.terms import Severity
from pipeline.validation.hits import Entry
from pipeline.validation.inflect import Inflector
from pipeline.validation.lexicon import Lexicon
from pipeline.validation.ruleset import RuleSet
from pipeline.validation.word_lint import lint_words
from tests.validation.conftest import CORPORA
from tests.validation.disguises import DISGUISES

_FRANCHISES_AT_LEAST = 12


def _traps() -> list[dict[str, str]]:
    files = ("vocabulary_traps.csv", "vocabulary_traps_own.csv", "vocabulary_traps_2.csv")
    return [row for name in files for row in csv.DictReader((CORPORA / name).read_text("utf-8").splitlines())]


@pytest.mark.parametrize("trap", _traps(), ids=lambda trap: trap["id"])
def test_trap(trap: dict[str, str], rules: RuleSet) -> None:
    severities = {hit.severity for hit in rules.lexicon.scan(trap["sentence"]).hits}
    verdict = "block" if Severity.block in severities else "review" if severities else "pass"
    assert verdict == trap["verdict"], [(hit.term.term, hit.text) for hit in rules.lexicon.scan(trap["sentence"]).hits]


def test_traps_are_half_innocent() -> None:
    for writer, least in (("OW", 150), ("TH", 150)):
        traps = [trap for trap in _traps() if trap["id"].startswith(writer)]
        assert len(traps) >= least
        assert 0.4 <= sum(trap["verdict"] == "pass" for trap in traps) / len(traps) <= 0.6


def test_mutations_are_caught(rules: RuleSet) -> None:
    """1,000 insertions of a listed term, disguised, into good lines: at least 99 % are caught."""
    terms = [entry.term.term for entry in rules.lexicon.entries if "<" not in entry.term.term]
    lines = [
        json.loads(line)["neutral"].split() for line in (CORPORA / "voice_pairs.jsonl").read_text("utf-8").splitlines()
    ]
    missed: list[str] = []
    done = turn = 0
    while done < 1000:
        disguised = DISGUISES[turn % len(DISGUISES)](terms[(turn * 37) % len(terms)])
        line = lines[(turn * 13) % len(lines)]
        at = 1 + (turn * 7) % len(line)
        turn += 1
        if disguised is None:
            continue
        done += 1
        sentence = " ".join([*line[:at], disguised, *line[at:]])
        if not rules.lexicon.scan(sentence).hits:
            missed.append(sentence)
    assert len(missed) <= 10, missed


def test_lists_are_large_enough(content: Content) -> None:
    lists = {words.id: words for words in content.word_lists}
    terms = [term for guard in content.guards for term in guard.vocabulary] + [
        t for w in content.word_lists for t in w.vocabulary
    ]
    assert len(terms) >= 700
    assert len({term.group for term in lists["franchise_bleed"].vocabulary}) >= _FRANCHISES_AT_LEAST


def test_lists_are_clean(content: Content, rules: RuleSet) -> None:
    assert [str(problem) for problem in lint_words(content, rules.lexicon)] == []


def _lexicon(*terms: Term) -> Lexicon:
    return Lexicon([Entry("test", term) for term in terms], Inflector())


def test_allow_must_cover_the_hit() -> None:
    lexicon = _lexicon(Term(term="blaster", severity=Severity.block, group="g", allow=(r"\bsand blaster\b",)))
    assert not lexicon.scan("the sand blaster").hits
    assert lexicon.scan("sand blaster, blaster").hits[0].span == (14, 21)


def test_case_sensitive_terms() -> None:
    lexicon = _lexicon(Term(term="Mars", severity=Severity.block, group="g", match_case=True))
    assert not lexicon.scan("it mars the finish").hits
    assert lexicon.scan("Mars it.").hits[0].severity is Severity.review
    assert lexicon.scan("back on Mars").hits[0].severity is Severity.block


def test_placeholders_and_inflections() -> None:
    lexicon = _lexicon(
        Term(term="something on <poss> mind", severity=Severity.block, group="g"),
        Term(term="drop the ball", severity=Severity.block, group="g", pos="verb"),
        Term(term="medi-gel", severity=Severity.block, group="g", pos="noun"),
    )
    for sentence in ("something on her mind", "dropped the ball", "dropping the ball", "medigel", "medi gel"):
        assert lexicon.scan(sentence).hits, sentence


def test_unknown_placeholder_is_refused() -> None:
    with pytest.raises(ValueError, match="no placeholder"):
        _lexicon(Term(term="on <their> mind", severity=Severity.block, group="g"))


def test_inflections_come_back_from_the_cache(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    term = Term(term="frak", severity=Severity.block, group="g", pos="verb")
    first = Inflector(folder)
    spellings = first.spellings(term)
    first.save()
    assert Inflector(folder).spellings(term) == spellings
    next(folder.iterdir()).write_text("broken", "utf-8")
    assert Inflector(folder).spellings(term) == spellings
