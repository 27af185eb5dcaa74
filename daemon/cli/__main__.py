"""`python -m daemon.cli` is the command `reverie`."""

import sys

from daemon.cli import main

sys.exit(main())
