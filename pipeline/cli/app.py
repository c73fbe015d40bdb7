"""The command line's table of commands."""

from __future__ import annotations

import typer

from pipeline.cli import (
    bake,
    bank,
    changed,
    check,
    dev,
    diff,
    doctor,
    history,
    new,
    report,
    review,
    say,
    schema,
    ship,
    spike,
    spike_compare,
    spike_packet,
    spike_score,
    status,
    train,
    try_,
    validate,
    verdict,
    words,
)

app = typer.Typer(
    name="voicebake",
    help="Voices NPC lines with a small local language model, checks every text, bakes a cache that needs no model.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command()(check.check)
app.command()(new.new)
app.command()(schema.schema)
app.command()(bake.bake)
app.command()(changed.changed)
app.command()(status.status)
app.command()(review.review)
app.add_typer(verdict.verdict, name="verdict")
app.command()(history.history)
app.command()(report.report)
app.command()(say.say)
app.command("try")(try_.try_)
app.command()(validate.validate)
app.add_typer(words.words, name="words")
app.add_typer(bank.bank, name="bank")
app.command()(train.train)
spike.spike.command("packet")(spike_packet.packet)
spike.spike.command("score")(spike_score.score)
spike.spike.command("compare")(spike_compare.compare)
app.add_typer(spike.spike, name="spike")
app.command()(ship.ship)
app.command()(diff.diff)
app.command()(dev.dev)
app.command()(doctor.doctor)
