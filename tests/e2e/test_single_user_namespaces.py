"""Namespaces without tokens: nothing stands between the one user and the rows of a name."""

from tests.support.doors import DoorError, door
from tests.support.server import Server


async def test_a_removed_name_is_not_taken_anew_since_it_would_inherit_rows(server: Server, namespace: str) -> None:
    http = door("http", server)
    scope = {"namespace": namespace}
    await http.call("namespace.create", scope)
    await http.call("observe.record", {**scope, "tool_name": "Bash"})
    assert (await http.call("namespace.remove", scope))["removed"]
    try:
        await http.call("namespace.create", scope)
    except DoorError as error:
        assert error.code == "FEATURE_DISABLED"
    else:
        raise AssertionError("the name was taken anew")
