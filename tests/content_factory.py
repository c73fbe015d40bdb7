"""A minimal valid project for tests: one culture, a hub and a small zone, three NPCs, tells and guards."""

from __future__ import annotations

from pathlib import Path

from pipeline.project import Project

CULTURE = """\
#![enable(implicit_some)]
Culture(
    id: "van_maanens_star",
    name: "Van Maanen's Star",
    injector: Injector(
        register: "Direct and short. Everyone is pressed for time; say what is needed and stop.",
        context: "A working town in a sealed hull. Turning up counts for more than papers.",
        vocabulary: (
            exclamations: ["void take it", "stars", "cold vacuum"],
            greetings: ["hey", "morning"],
            farewells: ["gotta move", "catch you later"],
        ),
        values: "Show skill, never claim it. Stand by crew, shift and street.",
        exclusions: (
            text: "Never sir or ma'am, no quips, no formal phrasing.",
            words: ["sir", "ma'am"],
        ),
        examples: [
            (kind: dialogue, base: "The gate is closed until the next shift.", voiced: "Gate's shut till next shift."),
            (kind: behavior, base: "checks the gate before leaving", voiced: "gives the gate a hard look, then goes"),
        ],
    ),
    institutions: (
        use: [
            (word: "Commission", note: "far away, wants its cut"),
            (word: "shift lead", note: "near and able"),
        ],
        never: ["government", "senate", "navy"],
    ),
    tell_tones: [
        (category: Nervous, text: "A little faster and shorter; a phrase may drop off. Do not name the state."),
        (category: Angry, text: "Even and measured; one word lands harder than it needs to. Do not name the state."),
        (category: Friendly, text: "A little more than was asked, in working words. Do not name the state."),
        (category: Guarded, text: "Closes the subject fast without being unkind. Do not name the state."),
        (category: Guarded, towards_one: true, text: "Turns back to the work, politely. Do not name the state."),
        (category: RoutineDeviation, text: "On track, a beat late, as if elsewhere. Do not name the state."),
    ],
)
"""

TELLS = """\
TellTable(
    rows: [
        (category: Nervous, universal_class: "stress", everywhere: "a little faster and briefer"),
        (category: Angry, universal_class: "suppression", everywhere: "measured, contained"),
        (category: Friendly, universal_class: "openness", everywhere: "a little more than was asked"),
        (category: Guarded, universal_class: "concealment", everywhere: "each word weighed a moment longer"),
        (category: RoutineDeviation, universal_class: "departure from normal", everywhere: "present but elsewhere"),
    ],
)
"""

HUB = """\
Zone(
    id: "test_hub",
    name: "Test Hub",
    hub: true,
    default_culture: "van_maanens_star",
    adjacent_zones: ["test_yard"],
    glossary: (
        places: ["Dock Nine"],
        people: ["Ilsa Renn"],
        terms: ["Commission"],
    ),
)
"""

YARD = """\
Zone(
    id: "test_yard",
    name: "Test Yard",
    default_culture: "van_maanens_star",
    adjacent_zones: ["test_hub"],
)
"""

IMKE = """\
#![enable(implicit_some)]
Npc(
    id: "imke_dorr",
    name: "Imke Dorr",
    role: "runs the parts counter",
    tier: PlotCritical,
    traits: ["blunt", "patient"],
    mood: "tired but steady",
    cultural_markers: (filler_words: ["look", "right"]),
    observable_behaviors: [
        (id: "sorts_seals", base_text: "sorts pump seals into three trays"),
        (id: "wipes_counter", base_text: "wipes the counter twice before the next customer"),
    ],
    dialogue: [
        (id: "greet", base_text: "Good morning. What do you need?"),
        (id: "price", base_text: "The seal costs {price}.", slots: {"price": "what the seal costs"}),
        (id: "crates", base_text: "Eleven crates arrived at Dock Nine last shift."),
        (id: "lift_broken", base_text: "The lift is broken again and nobody came.", affect: high),
        (id: "sign", base_text: "Counter closes at shift change.", anchor_line: true),
    ],
    tell_behaviors: [
        (category: Nervous, base_text: "drops the same seal twice"),
        (category: Angry, base_text: "sets each tray down flat and hard"),
        (category: Friendly, base_text: "pushes the spare stool out with one foot"),
        (category: Guarded, base_text: "turns the order screen face down"),
        (category: RoutineDeviation, base_text: "leaves the third tray unsorted"),
    ],
)
"""

TAM = """\
#![enable(implicit_some)]
Npc(
    id: "tam_orley",
    name: "Tam Orley",
    role: "gate hand",
    tier: SemiUnique,
    culture: "van_maanens_star",
    traits: ["careful"],
    mood: "watchful",
    guarded_towards_one: true,
    observable_behaviors: [
        (id: "checks_gate", base_text: "checks the gate seal with a gloved hand"),
    ],
    dialogue: [
        (id: "refuse", base_text: "I cannot let you through without a pass."),
        (id: "ask", base_text: "Did Ilsa Renn send you?"),
    ],
    tell_behaviors: [
        (category: Guarded, base_text: "keeps one hand on the gate lever"),
    ],
)
"""

JORA = """\
Npc(
    id: "jora_vant",
    name: "Jora Vant",
    role: "loader",
    tier: Ambient,
    traits: ["quick"],
    mood: "busy",
    observable_behaviors: ["stacks empty crates by the wall"],
    dialogue: ["The tug leaves when it is full.", "Mind the loader."],
)
"""

GUARDS = {
    "NI-1": ("Religion", "Nobody prays and nobody names a god.", "No religion.", "prayer", "religion"),
    "NI-2": ("Military ranks", "Nobody serves in an army; no ranks, no orders.", "No ranks.", "sergeant", "rank"),
    "NI-3": (
        "Technology",
        "Say insert, span gate; else plain words.",
        "Plain tools.",
        "warp drive",
        "travel",
    ),
    "NI-4": ("Banter", "No quips and no wit for its own sake.", "No quips.", "wisecrack", "banter"),
    "NI-5": ("Earth", "Nobody remembers Earth, its seasons, its weekdays.", "No Earth.", "Monday", "weekday"),
}

WORD_LIST = """\
#![enable(implicit_some)]
WordList(
    id: "stock_politics",
    name: "Stock politics",
    vocabulary: [
        (term: "federation", severity: block, group: "politics", pos: "noun"),
        (term: "council", severity: review, group: "politics", allow: ["council of the shift"]),
    ],
)
"""


def guard_text(guard_id: str) -> str:
    """The RON text of one guard."""
    name, full, compressed, term, group = GUARDS[guard_id]
    return (
        f'Guard(\n    id: "{guard_id}",\n    name: "{name}",\n    full: "{full}",\n    compressed: "{compressed}",\n'
        f'    vocabulary: [(term: "{term}", severity: block, group: "{group}")],\n)\n'
    )


def content_texts() -> dict[str, str]:
    """Every content file of the minimal project: path from the root to RON text."""
    texts = {
        "cultures/van_maanens_star/culture.ron": CULTURE,
        "prompts/tells.ron": TELLS,
        "prompts/vocabulary/stock_politics.ron": WORD_LIST,
        "zones/test_hub/zone.ron": HUB,
        "zones/test_hub/npcs/imke_dorr.ron": IMKE,
        "zones/test_hub/npcs/tam_orley.ron": TAM,
        "zones/test_yard/zone.ron": YARD,
        "zones/test_yard/npcs/jora_vant.ron": JORA,
    }
    return texts | {f"prompts/guards/{guard_id.lower()}.ron": guard_text(guard_id) for guard_id in GUARDS}


def write_project(root: Path) -> Project:
    """Write the minimal valid project into `root` and return it."""
    for name, text in content_texts().items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Project(root.resolve())
