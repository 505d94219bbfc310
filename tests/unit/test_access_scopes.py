"""Finding the scopes that a request names, in itself and in what it holds."""

from loom.directory.v1 import directory_pb2
from loom.observe.v1 import observe_pb2
from loom.ops.v1 import ops_pb2
from runtime.scopes import Finder, Scopes, finder_for
from tests.support.protos import compile_proto

NESTED = compile_proto(
    "loom.scopes_test.v1",
    """
    message Outer {
      string org = 1; string namespace = 2;
      Inner one = 3; repeated Inner many = 4; map<string, Inner> by_name = 5; Plain plain = 6; Outer again = 7;
      repeated Deep deep = 8;
    }
    message Inner { string namespace = 1; string user_id = 2; }
    message Deep { Inner inner = 1; }
    message Plain { string text = 1; repeated string namespace = 2; }
    """,
)


def outer(**fields: object) -> object:
    from google.protobuf.message_factory import GetMessageClass

    return GetMessageClass(NESTED.message_types_by_name["Outer"])(**fields)


def found(message: object, namespace: str = "") -> Scopes:
    scopes = Scopes()
    finder_for(type(message)).find(message, namespace, scopes)
    return scopes


def test_a_flat_request_is_read_without_a_walk() -> None:
    finder = finder_for(observe_pb2.GetRequest)
    assert finder.is_flat
    assert finder.read(observe_pb2.GetRequest(org="a", namespace="n")) == ("a", "n", "")


def test_a_request_without_scope_names_nothing() -> None:
    finder = finder_for(ops_pb2.HealthRequest)
    assert finder.read(ops_pb2.HealthRequest()) == ("", "", "")
    assert not finder.names_namespace


def test_only_a_field_that_identity_fills_takes_a_namespace() -> None:
    assert finder_for(observe_pb2.RecordRequest).takes_namespace
    assert not finder_for(directory_pb2.CreateNamespaceRequest).takes_namespace
    assert finder_for(directory_pb2.CreateNamespaceRequest).names_namespace


def test_entries_of_a_batch_are_scopes_of_their_own() -> None:
    batch = observe_pb2.RecordBatchRequest(
        org="a",
        namespace="top",
        user_id="u0",
        records=[
            observe_pb2.BatchRecord(tool_name="x"),
            observe_pb2.BatchRecord(org="b", namespace="other", user_id="u1"),
            observe_pb2.BatchRecord(namespace="top"),
        ],
    )
    scopes = found(batch)
    assert (scopes.orgs, list(scopes.namespaces), scopes.users) == ({"a", "b"}, ["top", "other"], {"u0", "u1"})


def test_the_filled_namespace_holds_where_none_is_named() -> None:
    assert list(found(observe_pb2.RecordBatchRequest(records=[observe_pb2.BatchRecord()]), "mine").namespaces) == [
        "mine"
    ]


def test_messages_lists_and_maps_are_walked_at_any_depth() -> None:
    message = outer(
        namespace="n0",
        one={"namespace": "n1"},
        many=[{"namespace": "n2"}, {"user_id": "u"}],
        by_name={"k": {"namespace": "n3"}},
        again={"namespace": "n4", "org": "o", "many": [{"namespace": "n5"}]},
        deep=[{"inner": {"namespace": "n6"}}],
    )
    scopes = found(message)
    assert set(scopes.namespaces) == {f"n{i}" for i in range(7)}
    assert (scopes.orgs, scopes.users) == ({"o"}, {"u"})


def test_an_unset_message_is_not_made() -> None:
    message = outer(namespace="n0")
    found(message)
    assert not message.HasField("one") and not message.HasField("again")


def test_messages_that_name_no_scope_are_not_walked() -> None:
    finder = finder_for(type(outer()))
    assert "plain" not in [name for name, _, _ in finder._nested]
    assert isinstance(finder, Finder)


def test_renaming_reaches_every_namespace_and_nothing_else() -> None:
    message = outer(
        namespace="a",
        many=[{"namespace": "a", "user_id": "a"}, {"namespace": "b"}, {}],
        by_name={"a": {"namespace": "a"}},
    )
    finder_for(type(message)).rename(message, {"a": "a2"})
    assert message == outer(
        namespace="a2",
        many=[{"namespace": "a2", "user_id": "a"}, {"namespace": "b"}, {}],
        by_name={"a": {"namespace": "a2"}},
    )
