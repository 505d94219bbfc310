"""The control socket: for the folder's owner alone, wherever the folder is, and gone with the process."""

import asyncio
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from runtime.errors import LoomError
from standalone.control import NAME, Refused, Say, ask, control_door


async def echo(asked: Mapping[str, Any], say: Say) -> Mapping[str, Any]:
    await say({"table": "a"})
    return {"said": asked["say"]}


async def answers(folder: Path, asked: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [answer async for answer in ask(folder, asked)]


async def test_a_command_is_answered_line_by_line(tmp_path: Path) -> None:
    async with control_door(tmp_path, echo):
        assert await answers(tmp_path, {"say": "é"}) == [{"table": "a"}, {"said": "é"}]
        mode = (tmp_path / NAME).stat().st_mode
        assert (stat.S_ISSOCK(mode), stat.S_IMODE(mode)) == (True, 0o600)
    assert not (tmp_path / NAME).exists()


async def test_a_folder_with_a_long_path_has_one_too(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 30) / ("er" * 60)
    folder.mkdir(parents=True)
    async with control_door(folder, echo):
        assert len(await answers(folder, {"say": 1})) == 2


async def test_a_socket_that_a_killed_process_left_is_taken_over(tmp_path: Path) -> None:
    server = await asyncio.start_unix_server(lambda _, __: None, tmp_path / NAME)
    server.close()
    assert (tmp_path / NAME).exists()
    with pytest.raises(ConnectionRefusedError):
        await answers(tmp_path, {"say": 1})
    async with control_door(tmp_path, echo):
        assert len(await answers(tmp_path, {"say": 1})) == 2


@pytest.mark.parametrize("error", [LoomError("STORAGE_UNAVAILABLE", "the reason"), RuntimeError("the reason")])
async def test_what_went_wrong_is_said_to_the_command(tmp_path: Path, error: Exception) -> None:
    async def fails(asked: Mapping[str, Any], say: Say) -> Mapping[str, Any]:
        raise error

    async with control_door(tmp_path, fails):
        with pytest.raises(Refused, match="the reason"):
            await answers(tmp_path, {})


async def test_a_process_that_stops_ends_the_commands_that_run(tmp_path: Path) -> None:
    begun = asyncio.Event()

    async def never(asked: Mapping[str, Any], say: Say) -> Mapping[str, Any]:
        begun.set()
        await asyncio.Event().wait()
        return {}

    async with asyncio.timeout(30):
        async with control_door(tmp_path, never):
            asking = asyncio.create_task(answers(tmp_path, {}))
            await begun.wait()
        assert await asking == []


async def test_nonsense_ends_its_connection_alone(tmp_path: Path) -> None:
    async with control_door(tmp_path, echo):
        reader, writer = await asyncio.open_unix_connection(tmp_path / NAME)
        writer.write(b"no json\n")
        assert await reader.read() == b""
        writer.close()
        assert len(await answers(tmp_path, {"say": 1})) == 2


async def test_data_in_memory_have_no_socket() -> None:
    async with control_door(None, echo):
        pass


async def test_without_a_process_nobody_answers(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        await answers(tmp_path, {"say": 1})
