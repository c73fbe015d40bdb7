"""From lines to prompts: fan-out, masking, rendering, token budgets, fingerprints and the leak audit."""

from pipeline.prompting.budgets import BudgetError, CountTokens, check_injector, injector_tokens
from pipeline.prompting.fanout import LineId, mask_line, token_budget, zone_jobs
from pipeline.prompting.figures import find_figures
from pipeline.prompting.jobs import LineJob, Masked, PromptJob, Segment, VariantKey
from pipeline.prompting.leak_audit import Leak, LeakError, LeakReport, audit
from pipeline.prompting.lexicon import Span
from pipeline.prompting.masking import OPAQUE_SLOT, mask, mask_pair, unmask
from pipeline.prompting.rendering import Renderer
from pipeline.prompting.templates import Profile, load_profile

__all__ = [
    "OPAQUE_SLOT",
    "BudgetError",
    "CountTokens",
    "Leak",
    "LeakError",
    "LeakReport",
    "LineId",
    "LineJob",
    "Masked",
    "Profile",
    "PromptJob",
    "Renderer",
    "Segment",
    "Span",
    "VariantKey",
    "audit",
    "check_injector",
    "find_figures",
    "injector_tokens",
    "load_profile",
    "mask",
    "mask_line",
    "mask_pair",
    "token_budget",
    "unmask",
    "zone_jobs",
]
