"""The option that names the key folder."""

import argparse
import os
from pathlib import Path

DEFAULT = ".loom/keys"


def add_folder(parser: argparse.ArgumentParser) -> None:
    """Adds `--dir`."""
    parser.add_argument("--dir", default="", help=f"key folder (default: LOOM_KEYS_DIR, else ./{DEFAULT})")


def folder_of(args: argparse.Namespace) -> Path:
    """The folder that the option, the setting or the default names."""
    return Path(args.dir or os.environ.get("LOOM_KEYS_DIR", "") or DEFAULT)
