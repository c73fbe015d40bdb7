"""The Dagster checks are the rules, in the rules' own words."""

from __future__ import annotations

from assets.checks import check_name, rule_check_specs
from pipeline.validation.ruleset import rule_docs


def test_every_rule_has_a_check_that_explains_it_in_the_same_words() -> None:
    described = {spec.name: spec.description for spec in rule_check_specs("findings")}
    assert described == {check_name(rule): doc.text for rule, doc in rule_docs().items()}
    assert len(described) == len(rule_docs())
