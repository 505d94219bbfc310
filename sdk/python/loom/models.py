"""The types of the contract's results and nested arguments, one module for each plane: `models.observe.Observation`."""

from loom._generated.models import *  # noqa: F403 - a name of this module for each generated one
from loom._generated.models import __all__ as __all__
