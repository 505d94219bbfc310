"""Names of functions without what a build or a run adds, and which of them belong to runtimes and frameworks."""

import re

_RULES = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"::h[0-9a-f]{16}$", ""),  # Rust's hash
        (r"(?:\+|\s\+\s)(?:0x[0-9a-fA-F]+|\d+)$", ""),  # an offset
        (r"\b0x[0-9a-fA-F]+\b", ""),
        (r"\[as \w+\]", ""),
        (r"^(?:async|new) ", ""),
        (r"<>c(?:__DisplayClass\d+_\d+)?\.", ""),
        (r"<([^<>]*)>[bd]__\d+(?:_\d+)?(?:\.MoveNext)?", r"\1"),  # C#: lambda in, state machine of
        (r"\$?\$Lambda(?:\$\d+)?(?:/[\w.]+)?", ".lambda"),
        (r"lambda\$(\w+)\$\d+", r"\1.lambda"),
        (r"\{+closure(?:[#_]?\w*)?\}+(?:#\d+)?", "lambda"),
        (r"\{lambda\([^)]*\)#\d+\}", "lambda"),
        (r"<lambda(?:_[0-9a-f]+|\([^)]*\))?>", "lambda"),
        (r"<(?:anonymous|module|locals|listcomp|genexpr)>", "anonymous"),
        (r"\.func\d+(?:\.\d+)*\b", ".lambda"),  # Go
        (r"\{impl#\d+\}", "impl"),
        (r"<(?:impl )?([\w:]+)(?:<.*?>)? (?:as|for) [^<>]*(?:<[^<>]*>)?[^<>]*>", r"\1"),  # Rust: <T as Trait>
        (r"`\d+", ""),  # C#: number of type arguments
        (r"\[[^\[\]]*\]", ""),  # Go's and C#'s type arguments
    )
)
_TEMPLATE = re.compile(r"<[^<>]*>")
_ARGUMENTS = re.compile(r"\((?!\*)[^()]*\)(?: const)?")
_POINTER = re.compile(r"\(\*(\w+)\)")
_NUMBERED = re.compile(r"\$\d+")
_EDGES = " .:,;$!@"
LONGEST_NAME = 200

_LIBRARY = re.compile(
    r"(?:app//)?(?:java|javax|jdk|sun|kotlin|kotlinx|scala|groovy|clojure)\."
    r"|com\.(?:sun|android\.internal|google\.common)\.|android\.(?:os|app|view|widget)\.|dalvik\.|libcore\."
    r"|org\.(?:junit|testng|apache\.(?:tomcat|catalina|maven)|springframework|gradle|eclipse\.jetty)\.|io\.netty\."
    r"|(?:std|core|alloc|tokio|futures|futures_util|test|rayon|hyper|boost|testing|backtrace|__gnu_cxx|absl|folly)::"
    r"|(?:rust_|__rust)|_?start$|start_thread$|clone3?$|__libc_|_*GI_|pthread_|raise$|abort$|__assert|BaseThread"
    r"|RtlUser|(?:ntdll|kernel32|kernelbase|ucrtbase)!|UIApplicationMain|CFRunLoop|_dispatch_|objc_|-\[(?:NS|UI)"
    r"|(?:runtime|testing|reflect|net/http|sync|panic|syscall|internal/\w+)[./(]"
    r"|(?:System|Microsoft|Xunit|NUnit)\.|node:|internal/|Module\._|process\.processTicks|<frozen",
)
_LIBRARY_FILE = re.compile(
    r"node_modules/|^node:|^internal/|^(?:timers|events|module|loader)\.js|site-packages/|dist-packages/|/lib/python\d"
    r"|<frozen|/rustc/|\.cargo/registry|/go/pkg/mod/|/usr/(?:local/)?(?:go|lib|include)/|/libstdc|libc\.so|libpthread"
    r"|libsystem_|UIKit|CoreFoundation|libdispatch"
)


def normal_name(name: str) -> str:
    """The name without addresses, offsets, arguments, template arguments, hashes, numbers of lambdas."""
    name = name[:LONGEST_NAME].strip()
    for pattern, replacement in _RULES:
        name = pattern.sub(replacement, name)
    name = _until_stable(_ARGUMENTS, _until_stable(_TEMPLATE, name))
    name = _NUMBERED.sub("", _POINTER.sub(r"\1", name))
    return re.sub(r"\s+", " ", name).replace("..", ".").strip(_EDGES)


def is_library(key: str, file: str) -> bool:
    """Whether a frame belongs to a language's runtime, its standard library or a framework under every program."""
    return bool(_LIBRARY.match(key) or (file and _LIBRARY_FILE.search(file.replace("\\", "/"))))


def _until_stable(pattern: re.Pattern[str], name: str) -> str:
    """Nested pairs go from the inside out; a name is short, so this ends soon."""
    while (shorter := pattern.sub("", name)) != name:
        name = shorter
    return name
