"""`python -m loom.cli`: the same as `loom`."""

import sys

from loom.cli import main

sys.exit(main())
