"""`bank-form`: what a bake would block in a bank is found at its place, and judged once while nothing changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.content import load_content_with_sources
from pipeline.content.lint.lint import View
from pipeline.project import Project
from pipeline.training.content_lints import BankForms
from pipeline.validation.ruleset import RuleSet, build_rules
from tests.bank_factory import bank_text, write_bank
from tests.project_fixture import bakeable_project, edit


@pytest.fixture
def small(tmp_path: Path) -> Project:
    return bakeable_project(tmp_path / "project")


def messages(project: Project, rules: RuleSet) -> list[str]:
    view = View(*load_content_with_sources(project))
    return [f"{each.line}: {each.message}" for each in BankForms(project, rules).check(view)]


def test_a_bank_is_judged_once_while_rules_and_texts_stay(small: Project) -> None:
    bank = write_bank(small, bank_text([("dialogue", "The gate is shut until the shift ends.")]))
    edit(bank, "shift ends. Guarded", "shift ends, sergeant.")
    content, _ = load_content_with_sources(small)
    rules = build_rules(content, small.build)
    first = messages(small, rules)
    assert any("sergeant" in message and "[guard-vocabulary]" in message for message in first)

    blind = replace(rules, rules=())  # the same digest, and no rule that could find anything
    assert messages(small, blind) == first
    assert messages(small, replace(blind, digest="other rules")) == []
    assert messages(small, rules) == first

    edit(bank, "shift ends, sergeant.", "shift ends, mate.")
    assert not any("sergeant" in message for message in messages(small, rules))


def test_no_bank_no_remarks(small: Project) -> None:
    content, _ = load_content_with_sources(small)
    assert messages(small, build_rules(content, small.build)) == []
