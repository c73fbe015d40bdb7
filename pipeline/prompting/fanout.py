"""Fan-out: a zone's lines become `LineJob`s with one prompt per tell state. Anchors and tells are left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from pipeline.content.models import Content, Glossary, LineRef
from pipeline.content.terms import TellState
from pipeline.errors import UserError
from pipeline.prompting.budgets import CountTokens, injector_problem, raise_over_budget
from pipeline.prompting.fingerprint import line_fingerprint
from pipeline.prompting.jobs import LineJob, Masked, PromptJob, Segment, VariantKey
from pipeline.prompting.masking import mask
from pipeline.prompting.rendering import RenderedPrompt, Renderer
from pipeline.prompting.templates import Block, Profile

LineId = tuple[str, str]
"""NPC id and line id."""
Place = Callable[[str, str | None], str]
"""Where a line stands, or an NPC (line id None): `file:line:col`."""


@dataclass(frozen=True, slots=True)
class _Draft:
    """A line with its prompts, before tokens are counted."""

    ref: LineRef
    masked: Masked
    prompts: tuple[RenderedPrompt, ...]


def zone_jobs(
    content: Content,
    zone_id: str,
    profile: Profile,
    identity: Mapping[str, object],
    count_tokens: CountTokens,
    attempts: Mapping[LineId, int] | None = None,
    adapter_sha: Mapping[str, str | None] | None = None,
    adapted: Mapping[str, Profile] | None = None,
    place: Place | None = None,
) -> tuple[LineJob, ...]:
    """One job per line that is voiced: PlotCritical NPCs first, then by NPC id, then as authored.

    `identity` is all that decides the engine's output besides the prompt, as plain values. `attempts` tells how often
    a person asked for other candidates (absent: never), `adapter_sha` the hash of each culture's adapter (absent:
    none), `adapted` the profile of the cultures that are not prompted by `profile`. `count_tokens` is called once,
    with each distinct text once. `place` says where a text stands, for messages. Raises `UserError` for an unknown
    zone, and one `BudgetError` for everything outside its budget.
    """
    if zone_id not in content.zones:
        raise UserError(f"There is no zone {zone_id!r}.", f"There are: {', '.join(content.zones)}.")
    zone = content.zones[zone_id]
    lines = [ref for ref in zone.lines if not ref.line.anchor_line]
    # The sort is stable, so an NPC's lines stay as authored.
    lines.sort(key=lambda ref: (ref.npc.tier.rank, ref.npc.id))
    spoken = dict.fromkeys(ref.culture.id for ref in lines)
    renderers = {culture_id: Renderer(content, (adapted or {}).get(culture_id, profile)) for culture_id in spoken}
    masked = [mask_line(ref, zone.zone.glossary) for ref in lines]
    drafts = [
        _Draft(ref, facts, renderers[ref.culture.id].prompts(ref, facts))
        for ref, facts in zip(lines, masked, strict=True)
    ]
    injectors = {ref.culture.id: renderers[ref.culture.id].injector(ref.culture) for ref in lines}

    tokens = _counted(_texts(drafts, injectors), count_tokens)
    raise_over_budget(_problems(profile, drafts, injectors, tokens, place or _folder(zone_id)))
    return tuple(
        _line_job(
            draft,
            renderers[draft.ref.culture.id],
            tokens,
            identity,
            attempts=(attempts or {}).get((draft.ref.npc.id, draft.ref.line_id), 0),
            adapter_sha256=(adapter_sha or {}).get(draft.ref.culture.id),
        )
        for draft in drafts
    )


def mask_line(ref: LineRef, glossary: Glossary) -> Masked:
    """A line's base text with its facts masked; the authority words of its culture are no facts."""
    institutions = [authority.word for authority in ref.culture.institutions.use]
    folded = {word.casefold() for word in institutions}
    names = (*glossary.places, *glossary.people, *glossary.terms)
    return mask(ref.line.base_text, [name for name in names if name.casefold() not in folded], keep=institutions)


def token_budget(base_tokens: int) -> int:
    """Tokens that a candidate may take: `min(2 * base + 16, base + 96)`, the masked base text's tokens being `base`.

    Twice the base is generous even for Friendly, which says a little more than was asked; the 16 let a one-word line
    grow; for a long line the room to grow is bounded.
    """
    return min(2 * base_tokens + 16, base_tokens + 96)


def _texts(drafts: Iterable[_Draft], injectors: Mapping[str, list[str]]) -> list[str]:
    """Every distinct text whose tokens are asked for, in a fixed order."""
    texts = {text: None for draft in drafts for prompt in draft.prompts for _, text in prompt}
    texts |= {draft.masked.text: None for draft in drafts}
    texts |= {text: None for blocks in injectors.values() for text in blocks}
    return list(texts)


def _counted(texts: list[str], count_tokens: CountTokens) -> dict[str, int]:
    return dict(zip(texts, count_tokens(texts), strict=True)) if texts else {}


def _problems(
    profile: Profile,
    drafts: Iterable[_Draft],
    injectors: Mapping[str, list[str]],
    tokens: Mapping[str, int],
    place: Place,
) -> list[str]:
    """All that is outside its budget."""
    names = [block.name for block in profile.injector.blocks]
    found: list[str] = []
    for culture_id, texts in injectors.items():
        measured = dict(zip(names, (tokens[text] for text in texts), strict=True))
        if problem := injector_problem(profile.injector, culture_id, measured):
            found.append(problem)
    reported = {(block.file, block.name) for block in profile.injector.blocks}
    for draft in drafts:
        for block, text in (part for prompt in draft.prompts for part in prompt):
            if tokens[text] > block.at_most and (block.file, block.name) not in reported:
                where = _authored_in(block, draft.ref, place)
                found.append(f"{where}: block {block.name!r} takes {tokens[text]} tokens; allowed are {block.at_most}.")
    return found


def _folder(zone_id: str) -> Place:
    """Where a text stands, when nobody can say it better."""
    return lambda _npc, _line: f"zones/{zone_id}/npcs"


def _authored_in(block: Block, ref: LineRef, place: Place) -> str:
    """The file whose text makes a block long or short."""
    if "line" in block.uses:
        return f"{place(ref.npc.id, ref.line_id)}: NPC {ref.npc.id!r}, line {ref.line_id!r}"
    if "npc" in block.uses:
        return f"{place(ref.npc.id, None)}: NPC {ref.npc.id!r}"
    if "tell" in block.uses:
        return f"cultures/{ref.culture.id}/culture.ron and prompts/tells.ron"
    if "culture" in block.uses:
        return f"cultures/{ref.culture.id}/culture.ron"
    return "prompts/guards" if "guards" in block.uses else f"prompts/profiles/{block.file}"


def _line_job(
    draft: _Draft,
    renderer: Renderer,
    tokens: Mapping[str, int],
    identity: Mapping[str, object],
    *,
    attempts: int,
    adapter_sha256: str | None,
) -> LineJob:
    ref = draft.ref
    jobs = tuple(
        PromptJob(
            key=VariantKey(ref.npc.id, ref.line_id, state, ref.culture.id),
            segments=tuple(Segment(block.name, text, tokens[text]) for block, text in prompt),
            chat=renderer.profile.chat,
        )
        for state, prompt in zip(TellState, draft.prompts, strict=True)
    )
    max_tokens = token_budget(tokens[draft.masked.text])
    way_back = renderer.way_back(ref)
    fingerprints = tuple(
        line_fingerprint(
            jobs,
            identity=identity,
            adapter_sha256=adapter_sha256,
            attempts=attempt,
            max_tokens=max_tokens,
            way_back=way_back,
        )
        for attempt in range(attempts + 1)
    )
    return LineJob(ref, draft.masked, jobs, renderer.profile.name, max_tokens, way_back, fingerprints)
