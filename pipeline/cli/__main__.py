"""`python -m pipeline.cli` is `voicebake`."""

from pipeline.cli import main

main()
