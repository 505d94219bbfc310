"""`python -m gateway.envoy render`."""

import argparse
import sys

from gateway.envoy.command import command

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m gateway.envoy", description=command.help)
    command.configure(parser)
    sys.exit(command.run(parser.parse_args()))
