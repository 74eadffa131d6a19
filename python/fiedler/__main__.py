"""`python -m fiedler` and the `fiedler` script: the same command line as the command."""

from __future__ import annotations

import sys

from . import _core


def main() -> int:
    """Run the command line and answer with its exit code."""
    return _core.main(["fiedler", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
