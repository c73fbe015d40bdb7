"""`python -m pipeline.ron FILE...`: each file's projection as one JSON line, or its error on stderr."""

from __future__ import annotations

import json
import sys

from pipeline.errors import UserError
from pipeline.ron import parse_file, project


def main(names: list[str]) -> int:
    """Print every file's projection; 0 when all could be read, 1 when any could not, 2 when no file is named."""
    if not names:
        print("usage: python -m pipeline.ron FILE...", file=sys.stderr)
        return 2
    failed = False
    for name in names:
        try:
            print(json.dumps(project(parse_file(name).value)))
        except UserError as error:
            print(error, file=sys.stderr)
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
