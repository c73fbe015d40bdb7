"""`voicebake try` as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.cache import VoiceCache
from pipeline.content.terms import TellState
from pipeline.project import Project


def voicebake(project: Project, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pipeline.cli", *words, "--project", str(project.root)]
    return subprocess.run(command, env=os.environ.copy(), input=given, capture_output=True, text=True, check=False)


def test_json_has_the_documented_shape_and_best_comes_first(project: Project) -> None:
    done = voicebake(project, "try", "The seal costs {price}.", "-n", "3", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    (line,) = done.stdout.splitlines()
    answer = json.loads(line)
    assert list(answer) == ["base", "variants"]
    assert answer["base"] == "The seal costs {price}."
    assert [variant["tell"] for variant in answer["variants"]] == list(TellState)
    for variant in answer["variants"]:
        assert list(variant) == ["tell", "candidates"]
        assert len(variant["candidates"]) == 3
        blocked = []
        for candidate in variant["candidates"]:
            assert list(candidate) == ["text", "score", "findings"]
            assert "{price}" in candidate["text"]
            assert 0 <= candidate["score"] <= 1
            for finding in candidate["findings"]:
                assert list(finding) == ["rule", "severity", "message"]
            blocked.append(any(finding["severity"] == "block" for finding in candidate["findings"]))
        assert blocked == sorted(blocked)
        passing = [one["score"] for one, bad in zip(variant["candidates"], blocked, strict=True) if not bad]
        assert passing == sorted(passing, reverse=True)


def test_it_says_what_the_bake_wrote(baked: Project) -> None:
    words = ("try", "Good morning. What do you need?", "--npc", "imke_dorr", "--tell", "guarded", "--json")
    (variant,) = json.loads(voicebake(baked, *words).stdout)["variants"]
    with VoiceCache(baked.draft_cache) as cache:
        spoken = cache.template("imke_dorr", "greet", "Guarded")
    assert spoken.source == "tell"
    assert (variant["tell"], variant["candidates"][0]["text"]) == ("Guarded", spoken.text)


def test_for_people_the_best_is_marked_and_no_line_is_too_wide(project: Project) -> None:
    base = "The pump on the lower deck runs hot and somebody has to look at it before the next shift comes on."
    done = voicebake(project, "try", base)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("Base   The pump")
    for state in TellState:
        assert any(line.split()[0] == state.value for line in lines if line.strip())
    assert sum(line.startswith("* ") for line in lines) >= 3
    assert "FAKE engine" in done.stdout


def test_a_file_gives_a_line_of_json_per_row_in_order(project: Project, tmp_path: Path) -> None:
    rows = [{"base": "The gate is shut.", "kind": "dialogue"}, {"base": "wipes the counter", "kind": "behavior"}]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    file = tmp_path / "lines.jsonl"
    file.write_text(text, "utf-8")
    done = voicebake(project, "try", "--file", str(file), "--tell", "Neutral", "--json")
    assert done.returncode == 0
    assert [json.loads(line)["base"] for line in done.stdout.splitlines()] == [row["base"] for row in rows]
    assert voicebake(project, "try", "--file", "-", "--tell", "Neutral", "--json", given=text).stdout == done.stdout


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("try",), 2, "Give a base text, or --file, not both."),
        (("try", "The gate is shut.", "--file", "x.jsonl"), 2, "not both"),
        (("try", "The gate is shut.", "--tell", "Nervos"), 1, "The tell states are: Neutral, Nervous"),
        (("try", "The gate is shut.", "--kind", "shout"), 1, "'dialogue' or 'behavior'"),
        (("try", "The gate is shut.", "--npc", "imke_dor"), 1, "Did you mean imke_dorr?"),
        (("try", "The gate is shut.", "--culture", "van_maanens"), 1, "Did you mean van_maanens_star?"),
        (("try", "The gate is shut.", "-n", "0"), 2, "1<=x<=16"),
        (("try", "--file", "none.jsonl"), 1, "none.jsonl"),
        (("try", "--file", "-"), 1, "-:2: this is not JSON"),
    ],
)
def test_mistakes_are_one_clear_error(project: Project, words: tuple[str, ...], code: int, said: str) -> None:
    done = voicebake(project, *words, given='{"base": "The gate is shut."}\n{base}\n')
    assert done.returncode == code
    assert said in " ".join(done.stderr.split())
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
