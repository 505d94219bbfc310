"""Runs the gateway as a process of its own, in front of planes in other processes."""

import sys

from gateway.serve import main

if __name__ == "__main__":
    sys.exit(main())
