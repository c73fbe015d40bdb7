"""Loading: the minimal project is read whole, and each mistake is found at its token."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.content import ContentErrors, Problem, content_files, load_content, load_content_with_sources
from pipeline.content.mistakes import MISTAKES as EXPLAINED
from pipeline.content.terms import Affect, Kind, ReviewPolicy, Severity, TellState, Tier
from pipeline.project import Project
from tests.bank_factory import bank_text, write_bank
from tests.content_factory import content_texts, write_project

CULTURE = "cultures/van_maanens_star/culture.ron"
HUB = "zones/test_hub/zone.ron"
YARD = "zones/test_yard/zone.ron"
IMKE = "zones/test_hub/npcs/imke_dorr.ron"
TAM = "zones/test_hub/npcs/tam_orley.ron"
JORA = "zones/test_yard/npcs/jora_vant.ron"
TELLS = "prompts/tells.ron"
NI3 = "prompts/guards/ni-3.ron"
WORDS = "prompts/vocabulary/stock_politics.ron"


def edit(project: Project, file: str, old: str, new: str) -> None:
    path = project.root / file
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{file} has no {old!r}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def problems_of(project: Project) -> tuple[Problem, ...]:
    with pytest.raises(ContentErrors) as caught:
        load_content(project)
    return caught.value.problems


def test_minimal_project_loads(tmp_path: Path) -> None:
    content = load_content(write_project(tmp_path))
    assert list(content.zones) == ["test_hub", "test_yard"]
    hub = content.zones["test_hub"]
    assert (hub.zone.hub, hub.zone.review_policy, hub.zone.adjacent_zones) == (True, ReviewPolicy.All, ("test_yard",))
    imke, tam = hub.npcs
    assert (imke.id, imke.tier, imke.culture, imke.cultural_markers.filler_words) == (
        "imke_dorr",
        Tier.PlotCritical,
        None,
        ("look", "right"),
    )
    assert (tam.culture, tam.guarded_towards_one) == ("van_maanens_star", True)
    assert [(line.npc.id, line.kind, line.line_id) for line in hub.lines] == [
        ("imke_dorr", Kind.behavior, "sorts_seals"),
        ("imke_dorr", Kind.behavior, "wipes_counter"),
        ("imke_dorr", Kind.dialogue, "greet"),
        ("imke_dorr", Kind.dialogue, "price"),
        ("imke_dorr", Kind.dialogue, "crates"),
        ("imke_dorr", Kind.dialogue, "lift_broken"),
        ("imke_dorr", Kind.dialogue, "sign"),
        ("tam_orley", Kind.behavior, "checks_gate"),
        ("tam_orley", Kind.dialogue, "refuse"),
        ("tam_orley", Kind.dialogue, "ask"),
    ]
    price, lift, sign = hub.lines[3].line, hub.lines[5].line, hub.lines[6].line
    assert price.slots == {"price": "what the seal costs"}
    assert (lift.affect, sign.affect, sign.anchor_line) == (Affect.high, Affect.even, True)
    assert {ref.culture.id for zone in content.zones.values() for ref in zone.lines} == {"van_maanens_star"}
    assert [guard.id for guard in content.guards] == ["NI-1", "NI-2", "NI-3", "NI-4", "NI-5"]
    (words,) = content.word_lists
    assert [(term.term, term.severity, term.pos) for term in words.vocabulary] == [
        ("federation", Severity.block, "noun"),
        ("council", Severity.review, None),
    ]
    assert content.tells.row(TellState.Angry).universal_class == "suppression"
    culture = content.cultures["van_maanens_star"]
    assert culture.injector.register_.startswith("Direct and short.")
    assert culture.tone(TellState.Guarded, towards_one=True).startswith("Turns back to the work")


def test_missing_ids_are_derived_from_kind_and_text(tmp_path: Path) -> None:
    project = write_project(tmp_path)
    ids = [ref.line_id for ref in load_content(project).zones["test_yard"].lines]
    # As by: printf 'behaviorstacks empty crates by the wall' | sha256sum
    assert ids == ["b-1908b6ded7", "d-7f96a548e9", "d-13ae4c5f2c"]
    edit(project, JORA, "Mind the loader.", "Mind that loader.")
    after = [ref.line_id for ref in load_content(project).zones["test_yard"].lines]
    assert (after[:2], after[2] != ids[2]) == (ids[:2], True)


def test_order_of_files_and_fields_changes_nothing(tmp_path: Path) -> None:
    project = write_project(tmp_path)
    before = load_content(project)
    (project.root / IMKE).rename(project.root / "zones/test_hub/npcs/zz.ron")
    assert load_content(project) == before


def test_content_files_are_all_files_sorted(tmp_path: Path) -> None:
    project = write_project(tmp_path)
    (project.root / "zones/test_hub/npcs/notes.txt").write_text("not content", encoding="utf-8")
    (project.root / "zones/test_hub/npcs/.draft.ron").write_text("(", encoding="utf-8")
    assert content_files(project) == sorted(project.root / name for name in content_texts())


def test_sources_know_where_things_stand(tmp_path: Path) -> None:
    project = write_project(tmp_path)
    _, sources = load_content_with_sources(project)
    assert sources.line("imke_dorr", "price") == f"{IMKE}:16:34"
    assert sources.line("imke_dorr", "price", "slots") == f"{IMKE}:16:68"
    # The file leaves the affect out: the line itself is shown.
    assert sources.line("imke_dorr", "price", "affect") == f"{IMKE}:16:9"
    derived = load_content(project).zones["test_yard"].lines[0].line_id
    assert sources.line("jora_vant", derived) == f"{JORA}:8:28"
    assert sources.zones["test_hub"].where(("glossary", "people", 0)) == f"{HUB}:9:18"
    assert sources.cultures["van_maanens_star"].where(("tell_tones", 4, "towards_one")) == f"{CULTURE}:35:42"
    with pytest.raises(KeyError):
        sources.line("imke_dorr", "nowhere")


# File, what to replace, by what (‹ marks where the mistake must be found), part of its message, part of its hint.
MISTAKES = [
    (HUB, 'id: "test_hub"', 'id: ‹"other"', "called `other`, its folder `test_hub`", "Rename"),
    (HUB, 'id: "test_hub"', 'id: ‹"Test-Hub"', "`Test-Hub` cannot be the id of a zone", "lower-case letter"),
    (
        HUB,
        '"van_maanens_star"',
        '‹"van_manens_star"',
        "no culture `van_manens_star`",
        "Did you mean `van_maanens_star`?",
    ),
    (HUB, '["test_yard"]', '["test_yard", ‹"test_yrd"]', "no zone `test_yrd`", "Did you mean `test_yard`?"),
    (HUB, '["test_yard"]', '[‹"test_hub"]', "not adjacent to itself", "Delete"),
    (HUB, "hub: true,", "hub: true, review_policy: ‹Flagged,", "hub cannot have the review policy", "write All"),
    (HUB, "hub: true,", "hub: true, review_policy: ‹flagged,", "no ReviewPolicy `flagged`", "Did you mean Flagged?"),
    (HUB, "hub: true,", 'hub: ‹"true",', "expected true or false, found a string", "Write true"),
    (HUB, "Zone(", "‹Area(", "this is a Zone, not a Area", "leave the name out"),
    (IMKE, 'id: "imke_dorr"', 'id: ‹"../imke"', "`../imke` cannot be the id of an NPC", "a-z, 0-9 and _"),
    (IMKE, '(id: "greet", base_text', "‹(base_text", "a line of a hub needs an id", "survives edits"),
    (IMKE, 'id: "price"', 'id: ‹"greet"', "line id `greet` is used twice", "unique within an NPC"),
    (IMKE, 'id: "greet"', 'id: ‹"sorts_seals"', "line id `sorts_seals` is used twice", "unique within an NPC"),
    (IMKE, 'id: "greet"', 'id: ‹"greet them"', "`greet them` cannot be a line id", "letters, digits"),
    (IMKE, "category: Nervous", "category: ‹Neutral", "Neutral is no tell category", "five categories"),
    (IMKE, "category: Nervous", "category: ‹Nervus", "no TellState `Nervus`", "Did you mean Nervous?"),
    (IMKE, "tier: PlotCritical", 'tier: ‹"PlotCritical"', "found a string", "PlotCritical without quotes"),
    (IMKE, "    dialogue: [", "    ‹dialouge: [", "Npc has no field `dialouge`", "Did you mean `dialogue`?"),
    (IMKE, '    mood: "tired but steady",', "", "Npc lacks the field `mood`", "everyday mood"),
    (IMKE, '"The seal costs {price}."', '"The seal costs ‹{price."', "`{` stands alone", "such as {price}"),
    (IMKE, '"The seal costs {price}."', '"The seal ‹{} costs {price}."', "`{}` is no slot", "name starts with"),
    (IMKE, '"The seal costs {price}."', '"The ‹{P1} costs {price}."', "`{P1}` is no slot", "Capitals are kept"),
    (IMKE, '"The seal costs {price}."', '"{price} is ‹{price}."', "slot `{price}` stands twice", "once"),
    (IMKE, '"price": "what', '‹"prise": "what', "the text has no slot `{prise}`", "Did you mean `price`?"),
    (IMKE, '{"price": "what the seal costs"}', '{"price": ‹""}', "must not be empty", ""),
    (IMKE, '"drops the same seal', '‹"drops the {what}', "a tell has no slots", "exactly as authored"),
    (IMKE, '"Counter closes at shift change."', '‹""', "must not be empty", ""),
    (IMKE, '"tired but steady"', "‹tired", "expected a string, found the name tired", '"tired"'),
    (IMKE, '"tired but steady"', '‹Some("tired")', "expected a string, found Some(..)", "without Some"),
    (TAM, '"van_maanens_star"', '‹"vms"', "no culture `vms`", "folders in cultures/: van_maanens_star"),
    (TAM, "#![enable(implicit_some)]", "", "expected Some(..)", 'Write Some("van_maanens_star")'),
    (
        JORA,
        '"Mind the loader."',
        '‹"The tug leaves when it is full."',
        "this line stands twice",
        "another text or an id",
    ),
    (JORA, '"Mind the loader."', "‹7", "expected a string or a Line( .. ), found an integer", '"7"'),
    (JORA, 'traits: ["quick"]', 'traits: ‹"quick"', "expected a list", "square brackets"),
    (CULTURE, 'id: "van_maanens_star"', 'id: ‹"vms"', "called `vms`, its folder `van_maanens_star`", "Rename"),
    (CULTURE, "(category: Nervous,", "(category: ‹Neutral,", "Neutral is no tell category", "Neutral has no tone"),
    (CULTURE, "(category: Friendly,", "(category: ‹Angry,", "a second row for Angry", "Guarded may have"),
    (CULTURE, "tell_tones: [\n", "tell_tones: ‹[ // ", "no row for Nervous", "each category"),
    (CULTURE, "(category: Angry,", "(category: Angry, towards_one: ‹true,", "Angry has no row towards", "Only Guarded"),
    (CULTURE, "        register:", "        ‹registers:", "Injector has no field `registers`", "`register`?"),
    (CULTURE, "tell_tones: [", 'adapter: ‹"no.gguf", tell_tones: [', "no file `no.gguf`", "beside culture.ron"),
    (CULTURE, "tell_tones: [", 'adapter: ‹"../a.gguf", tell_tones: [', "no plain file name", "without any path"),
    (CULTURE, "tell_tones: [", 'adapter: ‹"..\\\\a.gguf", tell_tones: [', "no plain file name", "without any path"),
    (TELLS, "(category: Angry", "(category: ‹Nervous", "a second row for Nervous", "Keep one"),
    (TELLS, "(category: Angry", "(category: ‹Neutral", "Neutral is no tell category", "Neutral has no row"),
    (TELLS, "rows: [\n", "rows: ‹[ // ", "no row for Nervous", "one row per category"),
    (NI3, '"NI-3"', '‹"NI-7"', "there is no guard `NI-7`", "NI-1, NI-2, NI-3, NI-4, NI-5"),
    (NI3, '"NI-3"', '‹"NI-2"', "the id `NI-2` is used twice", "Rename"),
    (NI3, "severity: block", "severity: ‹blocks", "no Severity `blocks`", "Did you mean block?"),
    (WORDS, '"council of the shift"', '‹"council (of"', "this pattern is broken", "regular expressions"),
    (
        IMKE,
        '"The seal costs {price}."',
        '"The seal costs {price}.‹<end_of_turn>"',
        "`<end_of_turn>` is a mark",
        "Delete",
    ),
    (IMKE, '"tired but steady"', '"tired ‹[INST] but steady"', "`[INST]` is a mark that steers a model", "Delete"),
    (IMKE, '"drops the same seal', '‹"drops \\u{7} the same seal', "control character U+0007", "cannot be seen"),
    (CULTURE, '"Even and measured;', '"Even ‹<|system|> and measured;', "`<|system|>` is a mark", "Delete"),
    (HUB, '"Dock Nine"', '"Dock ‹<bos>Nine"', "`<bos>` is a mark", "Delete"),
    (HUB, '"Dock Nine"', '‹"Dock \\u{202e}Nine"', "control character U+202E", "cannot be seen"),
    (TELLS, '"stress"', '"‹<start_of_turn>stress"', "`<start_of_turn>` is a mark", "Delete"),
    (NI3, '"Plain tools."', '"Plain tools.‹</s>"', "`</s>` is a mark", "Delete"),
    (IMKE, '"tired but steady"', '‹"  "', "must not be empty", ""),
    (WORDS, '"federation"', '‹"<posss> federation"', "`<posss>` is no placeholder", "Did you mean <poss>?"),
    (WORDS, '"federation"', '‹"!!"', "`!!` holds no word", "made of words"),
    (WORDS, 'pos: "noun"', 'pos: "noun", forms: [‹"..."]', "`...` holds no word", "made of words"),
    (WORDS, 'pos: "noun"', 'pos: ‹"nuon"', "`nuon` is no part of speech", "inflections"),
    (
        WORDS,
        '    name: "Stock politics",',
        '    name = "Stock politics",',
        "expected `:` after `name`, found `=`",
        "with a colon",
    ),
]


@pytest.mark.parametrize(("file", "old", "new", "message", "hint"), MISTAKES)
def test_mistake(tmp_path: Path, file: str, old: str, new: str, message: str, hint: str) -> None:
    project = write_project(tmp_path)
    edit(project, file, old, new)
    text = (project.root / file).read_text(encoding="utf-8")
    before, mark, after = text.partition("‹")
    (project.root / file).write_text(before + after, encoding="utf-8")
    found = problems_of(project)
    matching = [each for each in found if message in each.message and each.file == file]
    assert matching, [str(each) for each in found]
    problem = matching[0]
    if mark:
        assert (problem.line, problem.col) == (before.count("\n") + 1, len(before) - before.rfind("\n")), str(problem)
    assert hint in (problem.hint or "")
    shown = f"{problem.message} [{problem.id}]" if problem.id else problem.message
    assert str(problem).startswith(f"{problem.where}: {shown}\n")
    assert problem.id is None or problem.id in EXPLAINED


def test_missing_field_points_at_the_end_of_its_struct(tmp_path: Path) -> None:
    project = write_project(tmp_path)
    edit(project, IMKE, '    mood: "tired but steady",\n', "")
    (problem,) = problems_of(project)
    last_line = (project.root / IMKE).read_text(encoding="utf-8").count("\n")
    assert (problem.line, problem.col, problem.expected) == (last_line, 1, "mood: a string")


def test_one_example_must_be_a_behavior(tmp_path: Path) -> None:
    project = write_project(tmp_path)
    edit(project, CULTURE, "kind: behavior", "kind: dialogue")
    (problem,) = problems_of(project)
    assert (problem.message, problem.line) == ("no example is a behavior", 18)


def test_one_example_is_too_few(tmp_path: Path) -> None:
    project = write_project(tmp_path)
    edit(project, CULTURE, "(kind: behavior, base", "// (kind: behavior, base")
    (problem,) = problems_of(project)
    assert problem.message == "expected at least 2 items, found 1"


def test_duplicate_npc_shows_both_files(tmp_path: Path) -> None:
    project = write_project(tmp_path)
    edit(project, IMKE, 'id: "imke_dorr"', 'id: "jora_vant"')
    (problem,) = problems_of(project)
    assert problem.message == "the NPC id `jora_vant` is used twice"
    assert (problem.file, f"{IMKE}:3:9" in problem.excerpt) == (JORA, True)


def test_names_are_checked_where_the_file_asks_for_it(tmp_path: Path) -> None:
    project = write_project(tmp_path)
    edit(project, HUB, "Zone(", "#![enable(explicit_struct_names)]\nZone(")
    (problem,) = problems_of(project)
    assert problem.message == "the name Glossary is missing"


@pytest.mark.parametrize(
    ("missing", "place", "message"),
    [
        (HUB, HUB, "is missing"),
        (CULTURE, CULTURE, "is missing"),
        (TELLS, TELLS, "is missing"),
        (NI3, "prompts/guards", "guard NI-3 is missing"),
        (JORA, "zones/test_yard/npcs", "holds no NPC"),
    ],
)
def test_missing_file(tmp_path: Path, missing: str, place: str, message: str) -> None:
    project = write_project(tmp_path)
    (project.root / missing).unlink()
    (problem,) = problems_of(project)
    assert (problem.file, problem.line, problem.message) == (place, None, message)
    assert str(problem).startswith(f"{place}: {message}\n")


def test_empty_project_gives_one_error_per_thing_to_add(tmp_path: Path) -> None:
    for folder in ("zones", "cultures"):
        (tmp_path / folder).mkdir()
    found = problems_of(Project(tmp_path))
    assert [each.where for each in found] == ["cultures", "prompts/guards", "prompts/tells.ron", "zones"]


def test_all_mistakes_of_all_files_come_at_once(tmp_path: Path) -> None:
    project = write_project(tmp_path)
    edit(project, HUB, "hub: true", "hub: yes")
    edit(project, IMKE, "PlotCritical", "Plotcritical")
    edit(project, IMKE, "mood", "moods")
    edit(project, TELLS, "TellTable(", "TellTable{")
    edit(project, WORDS, "block", "blok")
    with pytest.raises(ContentErrors) as caught:
        load_content(project)
    error = caught.value
    assert [each.where for each in error.problems] == [
        f"{TELLS}:1:10",
        f"{WORDS}:6:40",
        f"{IMKE}:6:11",
        f"{IMKE}:8:5",
        f"{HUB}:4:10",
    ]
    assert str(error).endswith("5 mistakes in 4 files. Nothing was baked from them.")
    assert error.as_json()[2] == {
        "file": IMKE,
        "line": 6,
        "col": 11,
        "message": "there is no Tier `Plotcritical`",
        "expected": "one of PlotCritical, SemiUnique, Ambient",
        "hint": "Did you mean PlotCritical?",
        "id": None,
    }


def test_a_broken_file_causes_no_second_error_elsewhere(tmp_path: Path) -> None:
    project = write_project(tmp_path)
    edit(project, CULTURE, "Culture(", "Culture")
    edit(project, NI3, "Guard(", "Guard")
    assert [each.file for each in problems_of(project)] == [CULTURE, NI3]


def test_mistakes_of_a_voice_bank_come_with_all_others(tmp_path: Path) -> None:
    project = write_project(tmp_path)
    edit(project, IMKE, "PlotCritical", "Plotcritical")
    text = bank_text([("dialogue", "The gate is shut."), ("dialogue", "The gate is shut.")])
    path = write_bank(project, text.replace("shut. Angry", "shut.<end_of_turn>", 1))
    found = [(each.file, each.message) for each in problems_of(project)]
    bank = project.shown(path)
    assert found == [
        (bank, "`<end_of_turn>` is a mark that steers a model, not text"),
        (bank, "this base text is in the bank already"),
        (IMKE, "there is no Tier `Plotcritical`"),
    ]
