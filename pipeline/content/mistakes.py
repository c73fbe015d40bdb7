"""What `voicebake check --explain` says about the mistakes that keep content from loading and need more than a line."""

from __future__ import annotations

CONTROL_MARK = "control-mark"
DANGLING_ADJACENCY = "dangling-adjacency"
DUPLICATE_ID = "duplicate-id"
EMPTY_TERM = "empty-term"
HUB_LINE_ID = "hub-line-id"
SLOT_FORM = "slot-form"
TONE_ROWS = "tone-rows"
UNKNOWN_CULTURE = "unknown-culture"

MISTAKES: dict[str, str] = {
    CONTROL_MARK: (
        "A text holds a mark that steers a model, such as <end_of_turn>, [INST] or <|system|>, or an invisible control "
        "character. Content goes into prompts as plain text; such a mark could end a prompt early or speak in the "
        "model's place. No line of the game needs one: delete it."
    ),
    DANGLING_ADJACENCY: (
        "A zone's `adjacent_zones` names a zone that does not exist. Pre-voicing bakes adjacent zones first, and the "
        "game walks these links. Use the folder name of a zone in zones/, or delete the entry."
    ),
    DUPLICATE_ID: (
        "An id is used twice, or two rows have one key. Ids are keys: NPC ids are unique over all zones, line ids "
        "within an NPC, guards and word lists among themselves. With two of a kind a history, a verdict or a cached "
        "text could belong to either. Rename the newer one; the older one may have history."
    ),
    EMPTY_TERM: (
        "A word list's term (or one of its forms) holds no letter and no digit, or a placeholder that does not exist, "
        "so that nothing could ever match it. Placeholders are <poss>, <refl>, <obj>, <be> and <have>."
    ),
    HUB_LINE_ID: (
        "Every line of a hub has an id of its own. Elsewhere a missing id is derived from the text, so that an edit "
        "makes a new line of it; in a hub each line has verdicts, and those must survive an edit."
    ),
    SLOT_FORM: (
        "A slot is a lower-case name in braces, {price}: letters, digits and _, each slot once in a line, explained "
        "in the line's `slots`. Capital names such as {N1} are kept for figures and names that voicebake masks "
        "itself. A tell behavior ships as authored and has no slots."
    ),
    TONE_ROWS: (
        "A culture has one tone row for each of Nervous, Angry, Friendly, Guarded and RoutineDeviation; Guarded may "
        "have a second one with `towards_one: true`. Neutral has none. prompts/tells.ron has one row for each."
    ),
    UNKNOWN_CULTURE: (
        "A zone or NPC names a culture that has no folder in cultures/. Use an existing folder's name, or begin a new "
        "culture with: voicebake new culture ID."
    ),
}
"""Explanations by id. These mistakes cannot be waived: nothing is baked from such content."""
