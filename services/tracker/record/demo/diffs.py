"""Diffs of the demo's changes: small, and in the language of the file."""

from services.tracker.record.demo.defects import line_of
from services.tracker.record.demo.dice import Dice
from services.tracker.record.demo.slots import Slots

_HUNKS: dict[str, tuple[tuple[str, str], ...]] = {
    "rs": (
        (
            "    let guard = self.{v}.lock();\n    self.send(&guard)?;",
            "    let {v} = self.{v}.lock().clone();\n    self.send(&{v})?;",
        ),
        ("    self.{v} += 1;", "    self.{v} = self.{v}.saturating_add(1);"),
        (
            "    let first = {v}[0].index;",
            "    let Some(first) = {v}.first().map(|each| each.index) else {{\n        return Ok(());\n    }};",
        ),
        (
            "    let deadline = Instant::now() + LIMIT;",
            "    let deadline = ctx.deadline().min(Instant::now() + LIMIT);",
        ),
        ("    if {v} > self.limit {{", "    if {v} >= self.limit {{\n        self.metrics.{v}.inc();"),
    ),
    "go": (
        ("\t{v} := make(chan result)", "\t{v} := make(chan result, len(shards))"),
        (
            "\tif err != nil {{\n\t\tlog.Warn(err)\n\t}}",
            '\tif err != nil {{\n\t\treturn fmt.Errorf("{v}: %w", err)\n\t}}',
        ),
        ("\ts.{v}[id] = now", "\ts.mu.Lock()\n\ts.{v}[id] = now\n\ts.mu.Unlock()"),
        ("\tctx := context.Background()", "\tctx, cancel := context.WithTimeout(ctx, s.{v}Timeout)\n\tdefer cancel()"),
        ("\tfor _, {v} := range s.all {{", "\tsort.Strings(s.all)\n\tfor _, {v} := range s.all {{"),
    ),
    "cc": (
        ("  auto* {v} = heap_.top();\n  {v}->Unpin();", "  auto {v} = heap_.top()->Pin();"),
        ("  if (score >= {v}_threshold) {{", "  if (score > {v}_threshold && !file.moved_this_round) {{"),
        (
            "  limiter_->Request({v});",
            "  for (size_t left = {v}; left > 0; left -= std::min(left, kRefill)) {{\n"
            "    limiter_->Request(std::min(left, kRefill));\n  }}",
        ),
    ),
    "ts": (
        ("  series.push({v});", "  series.push({v});\n  if (series.length > maxPoints) series.shift();"),
        ("  const zone = {v}.labels.zone;", "  const zone = {v}.labels?.zone ?? 'unknown';"),
        ("  useEffect(() => load({v}));", "  useEffect(() => load({v}), [{v}]);"),
    ),
    "py": (
        ('    key = f"{{branch}}-{v}"', '    key = f"{{branch}}-{{toolchain}}-{v}"'),
        (
            "    for attempt in range(retries):\n        call(timeout)",
            "    until = clock() + timeout\n    for attempt in range(retries):\n        call(until - clock())  # {v}",
        ),
        ("    if not {v}:\n        return None", "    if {v} is None:\n        return None"),
    ),
    "java": (
        ("    {v}.remove(connection);", "    if ({v}.remove(connection)) {{\n      permits.release();\n    }}"),
        ("    return attempt(timeout);", "    return attempt(deadline.minus(clock.now())); // {v}"),
    ),
    "cs": (
        ("        await task.ConfigureAwait(true);", "        await task.ConfigureAwait(false); // {v}"),
        ("        {v}.Dispose();", "        await {v}.DisposeAsync();"),
    ),
    "md": (
        ("The default of `{key}` is {few}.", "The default of `{key}` is {n}."),
        ("See [the guide]({v}.md).", "See [the guide](../{v}.md)."),
    ),
}
_VARIABLES = (
    "entries",
    "pending",
    "waiters",
    "batch",
    "slots",
    "epoch",
    "owners",
    "cursor",
    "limits",
    "window",
    "segments",
    "tokens",
)


def diff(paths: tuple[str, ...], symbol: str, why: str, version: str, slots: Slots) -> str:
    """A unified diff of the paths. The first one's hunk is in `symbol` and says why."""
    parts = []
    for place, path in enumerate(paths[:3]):
        extension = path.rpartition(".")[2]
        hunks = _HUNKS.get(extension)
        if hunks is None:
            continue
        function = symbol if place == 0 else slots.dice.pick(("new", "run", "setup", "check", "apply", "next"))
        parts.append(_file(path, function, why if place == 0 else "", version, hunks, slots))
    return "\n".join(parts)


def _file(path: str, function: str, why: str, version: str, hunks: tuple[tuple[str, str], ...], slots: Slots) -> str:
    dice: Dice = slots.dice
    slots["v"] = dice.pick(_VARIABLES)
    old, new = (slots.fill(side) for side in dice.pick(hunks))
    mark = {"py": "    #", "md": "<!--", "go": "\t//"}.get(path.rpartition(".")[2], "    //")
    comment = [f"+{mark} {why}"] if why and dice.chance(0.6) else []
    removed = [f"-{line}" for line in old.splitlines()]
    added = [*comment, *(f"+{line}" for line in new.splitlines())]
    at = line_of(function, version)
    head = [
        f"diff --git a/{path} b/{path}",
        f"--- a/{path}",
        f"+++ b/{path}",
        f"@@ -{at},{len(removed) + 2} +{at},{len(added) + 2} @@ {function}",
    ]
    return "\n".join([*head, " ", *removed, *added, " "])
