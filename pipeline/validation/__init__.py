"""Deterministic rules that judge a voiced text.

`build_rules(content)` gives a `RuleSet`; `RuleSet.validate(subject)` gives the findings. Importing this package loads
no matcher.
"""

from __future__ import annotations

from pipeline.validation.finding import Finding
from pipeline.validation.rule import Canary, NpcFacts, Rule, RuleDoc, Subject

__all__ = ["Canary", "Finding", "NpcFacts", "Rule", "RuleDoc", "Subject"]
