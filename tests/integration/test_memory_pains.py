"""What users of such memories complain about, each once over the whole plane."""

import pytest

from tests.support.memory import memory_plane
from tests.support.stores import chdb_store


@pytest.fixture
async def memory(tmp_path):
    async with chdb_store(tmp_path, fsync=False) as store, memory_plane(store) as plane:
        yield plane


async def titles(memory, query, **args):
    return [hit["title"] for hit in (await memory("search", query=query, **args))["hits"]]


async def test_a_full_question_finds_what_has_only_some_of_its_words(memory):
    await memory.save("The last ferry to the island is at 21:40.", title="Ferry")
    await memory.save("Bread is baked on Mondays.", title="Bread")
    question = "Could you please remind me when exactly the final boat, I mean the ferry, departs tonight?"
    assert (await titles(memory, question))[0] == "Ferry"


async def test_what_is_deleted_is_gone_at_once_from_search_list_and_counts_and_only_in_its_scope(memory):
    mine = (await memory.save("The ferry leaves at nine.", title="Ferry"))["id"]
    await memory.save("The harbour master is Lena.", title="Harbour")
    for other in ({"user_id": "bob"}, {"namespace": "other"}, {"org": "globex"}):
        await memory.save("The ferry leaves at nine.", title="Ferry", **other)
    await memory("delete", observation_id=mine)
    assert await titles(memory, "ferry") == []
    assert [row["title"] for row in (await memory("list"))["observations"]] == ["Harbour"]
    assert (await memory("stats"))["observations"] == 1
    for other in ({"user_id": "bob"}, {"namespace": "other"}, {"org": "globex"}):
        assert await titles(memory, "ferry", **other) == ["Ferry"]
        assert (await memory("stats", **other))["observations"] == 1


@pytest.mark.parametrize(
    "instant",
    ["2025-06-01T00:00:00Z", "2025-06-01T02:00:00+02:00", "2025-05-31T19:30:00-04:30", "2025-06-01T00:00:00.000Z"],
)
async def test_the_same_instant_in_any_offset_filters_alike(memory, instant):
    await memory.save("The old ferry.", title="before", observed_at="2025-05-31T23:59:59Z")
    await memory.save("The new ferry.", title="after", observed_at="2025-06-01T00:00:00Z")
    assert await titles(memory, "ferry", since=instant) == ["after"]
    assert await titles(memory, "ferry", until=instant) == ["before"]
    assert [row["title"] for row in (await memory("list", since=instant))["observations"]] == ["after"]
    assert [row["title"] for row in (await memory("list", until=instant))["observations"]] == ["before"]


@pytest.mark.parametrize("then", ["2025-06-01T00:00:00Z", "2025-06-01T05:30:00+05:30", "2025-05-31T17:00:00-07:00"])
async def test_the_same_instant_in_any_offset_asks_for_the_same_past(memory, then):
    for content, said in (("Slow ferry.", "2025-06-01T00:00:00Z"), ("Fast ferry.", "2025-06-01T00:00:01Z")):
        await memory.save(content, title="Ferry", topic_key="ferry", observed_at=said)
    [hit] = (await memory("search", query="ferry", as_of=then))["hits"]
    assert hit["snippet"] == "Slow ferry."


SCRIPTS = {
    "Chinese": ("会议改到下周三下午三点。", "会议什么时候"),
    "Japanese": ("猫のミルは東京で生まれた。", "東京"),
    "Korean": ("우리는 한국어를 배운다.", "한국어"),
    "Thai": ("ร้านอาหารไทยอยู่ใกล้สถานี", "อาหาร"),
    "Arabic": ("مفتاح المكتب عند سلمى", "أين مفتاح المكتب؟"),
    "Hebrew": ("הפגישה עם נועה ביום שלישי", "הפגישה"),
    "Russian": ("Паром на остров уходит в девять.", "когда уходит паром?"),
    "German": ("Die Straße zum Büro ist gesperrt.", "STRASSE"),
    "French": ("L'entrée du café est par la cour.", "entree du cafe"),
    "Emoji": ("Standup mood today: 🦕🎉", "🦕"),
    "camelCase": ("The handler is called parseInvoiceTotals.", "invoice totals"),
    "snake_case": ("Set max_retry_count to five.", "maxRetryCount"),
    "Path": ("Rates live in src/money/rates.py.", "rates.py"),
}


async def test_a_memory_in_any_script_is_found_first_by_its_own_words(memory):
    items = [{"content": text, "type": "discovery", "title": name} for name, (text, _) in SCRIPTS.items()]
    await memory("save_batch", items=items)
    found = {name: (await memory("search", query=query))["hits"][:1] for name, (_, query) in SCRIPTS.items()}
    assert {name: [hit["title"] for hit in hits] for name, hits in found.items()} == {name: [name] for name in SCRIPTS}
    for name, [hit] in found.items():
        assert hit["snippet"] == SCRIPTS[name][0]


async def test_every_memory_is_on_exactly_one_page_and_a_hits_id_fetches_its_text(memory):
    items = [{"content": f"Fact {n} of the harbour.", "type": "discovery", "title": f"t{n}"} for n in range(25)]
    await memory("save_batch", items=items)
    seen, token = [], ""
    while True:
        page = await memory("list", page_size=10, page_token=token)
        seen += [row["title"] for row in page["observations"]]
        token = page["next_page_token"]
        if not token:
            break
    assert sorted(seen) == sorted(item["title"] for item in items)
    hits = (await memory("search", query="Fact 17 of the harbour", limit=3))["hits"]
    found = (await memory("get_observation", observation_id=hits[0]["id"]))["observation"]
    assert (found["title"], found["content"]) == ("t17", "Fact 17 of the harbour.")


async def test_the_current_fact_comes_first_and_the_old_one_is_there_as_of_then(memory):
    first = await memory.save("Office: Berlin.", title="Office", topic_key="office", observed_at="2025-01-01T00:00:00Z")
    await memory.save("Office: Lisbon.", title="Office", topic_key="office", observed_at="2025-06-01T00:00:00Z")
    [now] = (await memory("search", query="office"))["hits"]
    [then] = (await memory("search", query="office", as_of="2025-03-01T00:00:00Z"))["hits"]
    assert now["id"] == then["id"] == first["id"]
    assert (now["snippet"], then["snippet"]) == ("Office: Lisbon.", "Office: Berlin.")
