"""`loom envoy`: prints the configuration of the edge."""

import argparse
import json
import os
import sys

from gateway.envoy.certificates import secret
from gateway.envoy.render import render
from gateway.envoy.settings import Source
from runtime.settings import SettingsError


class EnvoyCommand:
    """The `envoy` command of the loom program; also `python -m gateway.envoy`."""

    name = "envoy"
    help = "print Envoy's configuration, made from the settings (LOOM_ENVOY_* and those of gateway and planes)"

    def configure(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "what",
            choices=["render", "certificate", "drain"],
            help="the configuration; what the file LOOM_ENVOY_TLS_SDS must hold; or the least LOOM_DRAIN_S",
        )

    def run(self, args: argparse.Namespace) -> int:
        """Exit code 1, and everything that is wrong, for settings that no configuration can be made from."""
        try:
            text = _text(args.what, Source.load(os.environ))
        except SettingsError as error:
            print(f"envoy: {error}", file=sys.stderr)  # noqa: T201
            return 1
        print(text)  # noqa: T201
        return 0


def _text(what: str, source: Source) -> str:
    if what == "drain":
        return f"{source.unserving_s:g}"
    if what == "certificate" and not source.envoy.tls_sds:
        raise SettingsError(["LOOM_ENVOY_TLS_SDS is not set: certificates are read at start"])
    return json.dumps(secret(source.envoy) if what == "certificate" else render(source), indent=2)


command = EnvoyCommand()
