"""Stack frames of the demo's crashes, in the languages of its components."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.tracker.record.demo.defects import line_of
from services.tracker.record.demo.dice import Dice
from services.tracker.record.demo.model import Defect
from services.tracker.record.demo.vocabulary import Component, file_of


@dataclass(frozen=True, slots=True)
class Frame:
    symbol: str
    path: str
    line: int


_BELOW: dict[str, tuple[Frame, ...]] = {
    "rust": (
        Frame("tokio::runtime::task::core::Core<T,S>::poll", "tokio-1.47.0/src/runtime/task/core.rs", 331),
        Frame("std::panicking::try", "library/std/src/panicking.rs", 589),
        Frame("std::sys::pal::unix::thread::Thread::new::thread_start", "library/std/src/sys/pal/unix/thread.rs", 105),
    ),
    "go": (
        Frame("net/http.(*conn).serve", "/usr/local/go/src/net/http/server.go", 2102),
        Frame("runtime.goexit", "/usr/local/go/src/runtime/asm_amd64.s", 1700),
    ),
    "cpp": (
        Frame("brindle::ThreadPool::Loop", "engine/util/thread_pool.cc", 88),
        Frame("start_thread", "nptl/pthread_create.c", 447),
    ),
    "java": (
        Frame("java.util.concurrent.ThreadPoolExecutor.runWorker", "ThreadPoolExecutor.java", 1144),
        Frame("java.lang.Thread.run", "Thread.java", 1583),
    ),
    "python": (Frame("run", "asyncio/runners.py", 118), Frame("<module>", "app/main.py", 14)),
    "js": (Frame("processTicksAndRejections", "node:internal/process/task_queues", 105),),
    "dotnet": (Frame("System.Threading.ThreadPoolWorkQueue.Dispatch()", "ThreadPoolWorkQueue.cs", 913),),
}


def stack(defect: Defect, component: Component, version: str) -> list[Frame]:
    """Innermost first. Reports of one defect have the same functions; lines move with the version."""
    if component.language not in _BELOW:
        return []
    dice = Dice.brief(defect.salt, "stack")
    top = defect.symptom
    callers = [symbol for symbol in dice.some(component.symbols, dice.number(2, 4)) if symbol != top.function]
    own = [Frame(top.function, f"{component.root}/{top.file}", line_of(top.function, version))]
    own += [Frame(each, f"{component.root}/{file_of(each, component)}", line_of(each, version)) for each in callers]
    return own + list(_BELOW[component.language])


def one_line(language: str, frame: Frame) -> str:
    """A frame as one line of text."""
    symbol = _go_name(frame) if language == "go" else _qualified(language, frame.symbol)
    place = f"{frame.path}:{frame.line}"
    name = frame.path.rpartition("/")[2]
    match language:
        case "java":
            return f"at {symbol}({name}:{frame.line})"
        case "python":
            return f'File "{frame.path}", line {frame.line}, in {symbol}'
        case "js":
            return f"at {symbol} ({place}:17)"
        case "dotnet":
            return f"at {symbol.removesuffix('()')}() in /src/{frame.path}:line {frame.line}"
    return f"{symbol} at {place}"


def trace(language: str, frames: Sequence[Frame], message: str, code: str) -> str:
    """The crash as the language's runtime prints it."""
    shown = f"{code} {message}" if code else message
    match language:
        case "rust":
            head = (
                f"thread 'brindle-worker-3' panicked at {frames[0].path}:{frames[0].line}:9:\n{shown}\nstack backtrace:"
            )
            return "\n".join([head, *(_rust(place, frame) for place, frame in enumerate(frames))])
        case "go":
            head = f"panic: {shown}\n\ngoroutine {60 + frames[0].line} [running]:"
            return "\n".join([head, *(_go(frame) for frame in frames)])
        case "java":
            return "\n".join(
                [f"io.brindle.client.BrindleException: {shown}", *(f"\t{one_line('java', each)}" for each in frames)]
            )
        case "python":
            lines = [f"  {one_line('python', each)}" for each in reversed(frames)]
            return "\n".join(["Traceback (most recent call last):", *lines, f"brindle.errors.BrindleError: {shown}"])
        case "js":
            return "\n".join([f"Error: {shown}", *(f"    {one_line('js', each)}" for each in frames)])
        case "dotnet":
            head = f"Unhandled exception. Brindle.Client.BrindleException: {shown}"
            return "\n".join([head, *(f"   {one_line('dotnet', each)}" for each in frames)])
    address = 0x55D0_0000_0000 + frames[0].line * 4096
    lines = [
        f"#{place}  {address + 97 * place:#018x} in {_qualified('cpp', each.symbol)} () at {each.path}:{each.line}"
        for place, each in enumerate(frames)
    ]
    return "\n".join([f"*** {shown}", *lines])


def _rust(place: int, frame: Frame) -> str:
    return f"  {place:2}: {_qualified('rust', frame.symbol)}\n             at {frame.path}:{frame.line}:5"


def _go(frame: Frame) -> str:
    path = frame.path if frame.path.startswith("/") else f"/src/{frame.path}"
    return (
        f"{_go_name(frame)}(0xc000{frame.line * 64:06x}, {{0x0, 0x0}})\n\t{path}:{frame.line} +0x{frame.line % 251:x}"
    )


def _go_name(frame: Frame) -> str:
    """With the path of its package."""
    return frame.symbol if frame.path.startswith("/") else f"brindle/{frame.path.rpartition('/')[0]}/{frame.symbol}"


def _qualified(language: str, symbol: str) -> str:
    known = any(frame.symbol == symbol for frame in _BELOW[language])
    prefix = {"rust": "brindle::", "java": "io.brindle.client.", "dotnet": "Brindle.Client."}
    if known or language not in prefix:
        return symbol
    return prefix[language] + symbol
