"""The command line's table of commands."""

from __future__ import annotations

import typer

from pipeline.cli import bake, changed, check, dev, doctor, new, say, schema, status, train, try_, validate, words

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
app.command()(say.say)
app.command("try")(try_.try_)
app.command()(validate.validate)
app.add_typer(words.words, name="words")
app.command()(train.train)
app.command()(dev.dev)
app.command()(doctor.doctor)
