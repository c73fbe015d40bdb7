"""voicebake: culture-neutral base lines in, checked and voiced lines out. Plain Python; Dagster lives in `assets`."""
