"""The keys of the reviewer: one table for the help page, the foot of the screen and the guide."""

from __future__ import annotations

KEYS: tuple[tuple[str, str], ...] = (
    ("a", "approve the line: all its waiting variants; those that are blocked or in question stay"),
    ("v", "approve the variant in front"),
    ("1-9", "take another candidate (`take 1` and so on) and approve it"),
    ("e", "edit the variant; the rules speak while you type"),
    ("r", "reject the text, with a reason; other candidates are asked for"),
    ("w", "waive a rule for this text, with a reason"),
    ("g", "ask for other candidates without judging the text"),
    ("s", "skip: the next line that waits, deciding nothing"),
    ("u", "undo the last step; or take back the verdict on the variant in front"),
    ("n, p", "next and previous line"),
    ("j, k", "next and previous variant (also Down and Up)"),
    ("o", "open all variants of the line, or fold the clean ones again"),
    ("f", "filter by rule, NPC or tell state; again to clear"),
    ("b", "bulk: approve all without a finding, or all that the filter shows; asks first"),
    ("?", "these keys"),
    ("q", "quit: queue and draft are brought up to date once"),
)

FOOT = "a line v variant e edit r reject w waive g other s skip u undo n/p j/k f b ? q"
"""What the foot of the screen reminds of, within 80 columns."""
