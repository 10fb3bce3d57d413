/**
 * Modules that a snapshot of Python has loaded. Runs that start from it share hash seeds, and would
 * draw the same random numbers.
 */
export const importsSource = `import ast, json, math, random, sys, traceback
from datetime import date, datetime, time, timedelta, timezone`;

/**
 * The Python side: defines the names available to authors, runs their code as the body of an async
 * function, and returns a `CodeReply` as JSON text. The code's syntax tree is inserted into the
 * function, so its lines keep their numbers.
 */
export const preludeSource = String.raw`
${importsSource}

random.seed()

request = json.loads(request_text)
native = request["native"]
scope = request["scope"]
table = scope["table"]
nodes = {name: node for name, node in scope["nodes"]}
each = request["mode"] != "allItems"
needs = []
cursor = 0


class NeedsData(BaseException):
    """Ends the run: it is repeated with the data."""


class Record(dict):
    """A JSON object whose fields are attributes as well."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        self[name] = value

    def __delattr__(self, name):
        try:
            del self[name]
        except KeyError:
            raise AttributeError(name) from None

    def to_py(self, **options):
        return plain(self)


class Records(list):
    def to_py(self, **options):
        return plain(self)


def fresh(value):
    """A copy of JSON data, in the shape that the language has."""
    if isinstance(value, dict):
        copied = {key: fresh(entry) for key, entry in value.items()}
        return copied if native else Record(copied)
    if isinstance(value, list):
        copied = [fresh(entry) for entry in value]
        return copied if native else Records(copied)
    return value


def plain(value):
    """The value as JSON data."""
    if value is None or isinstance(value, (bool, str, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key if isinstance(key, str) else str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(entry) for entry in value]
    if isinstance(value, (datetime, date, time)):
        return value.isoformat()
    if type(value).__name__ == "JsProxy":
        return plain(value.to_py())
    raise TypeError(f"a value of type {type(value).__name__} cannot be returned: return JSON data")


def dump(value):
    return json.dumps(plain(value), separators=(",", ":"))


class Output:
    """Standard output: an entry for each line, bounded."""

    def __init__(self):
        self.entries = []
        self.left = request["maxLogLength"]
        self.line = ""

    def write(self, text):
        for part in str(text)[: self.left + 1].splitlines(keepends=True):
            self.line += part.rstrip("\n")
            if part.endswith("\n"):
                self.flush_line()
        return len(text)

    def flush_line(self):
        if len(self.entries) < request["maxLogEntries"] and self.left > 0:
            self.entries.append(self.line[: self.left])
            self.left -= len(self.line)
        self.line = ""

    def flush(self):
        pass

    def isatty(self):
        return False

    def finish(self):
        if self.line:
            self.flush_line()
        return self.entries


def aspect_of(name, aspect):
    node = nodes.get(name)
    if node is None or (node["exists"] and aspect not in node):
        needs.append({"node": name, "aspect": aspect})
        raise NeedsData
    if not node["exists"]:
        raise LookupError(f'there is no node "{name}" in this workflow')
    return node[aspect]


def items_at(places):
    return Records(fresh(table[place]) for place in places or [])


def items_of(name, output=None, run=None):
    runs = aspect_of(name, "runs")
    if not runs:
        raise LookupError(f'node "{name}" has not run')
    outputs = runs[-1 if run is None else run]
    if output is None:
        output = nodes[name]["output"]
    return items_at(outputs[output] if output < len(outputs) else [])


def first_of(items):
    return items[0] if items else None


def last_of(items):
    return items[-1] if items else None


class Input:
    def __init__(self, items):
        self._items = items

    def all(self):
        return self._items

    def first(self):
        return first_of(self._items)

    def last(self):
        return last_of(self._items)

    @property
    def item(self):
        return self._items[cursor] if cursor < len(self._items) else None


class Node:
    def __init__(self, name):
        self._name = name

    def all(self, output=None, run=None):
        return items_of(self._name, output, run)

    def first(self, output=None, run=None):
        return first_of(self.all(output, run))

    def last(self, output=None, run=None):
        return last_of(self.all(output, run))

    def itemMatching(self, index):
        paired = aspect_of(self._name, "paired")
        if not paired:
            raise LookupError(f'node "{self._name}" has not run')
        place = paired[index]
        if place is None:
            return None
        if isinstance(place, str):
            raise LookupError(place)
        return fresh(table[place])

    @property
    def item(self):
        return self.itemMatching(cursor)

    @property
    def isExecuted(self):
        return bool(aspect_of(self._name, "runs"))

    @property
    def params(self):
        return fresh(aspect_of(self._name, "parameters"))

    @property
    def context(self):
        return fresh(aspect_of(self._name, "context"))


class NodeTable:
    """_node["name"]: the item at the same place."""

    def __getitem__(self, name):
        items = items_of(name)
        if cursor >= len(items):
            raise LookupError(f'node "{name}" has no item {cursor}')
        return items[cursor]


class CustomData:
    def __init__(self, bounds):
        self._bounds = bounds
        self._values = dict(bounds["values"])
        self.changed = {}

    def get(self, key):
        return self._values.get(key)

    def getAll(self):
        return dict(self._values)

    def set(self, key, value):
        bounds = self._bounds
        key, value = str(key), str(value)
        if not key.isidentifier() and not key.isalnum() or len(key) > bounds["maxKeyLength"]:
            raise ValueError(f'custom data: "{key}" is not a key of letters, digits and _, of {bounds["maxKeyLength"]} at most')
        if len(value) > bounds["maxValueLength"]:
            raise ValueError(f'custom data: the value of "{key}" is longer than {bounds["maxValueLength"]} characters')
        if key not in self._values and len(self._values) >= bounds["maxEntries"]:
            raise ValueError(f'custom data: there are {bounds["maxEntries"]} entries already')
        self._values[key] = self.changed[key] = value

    def setAll(self, values):
        for key, value in values.items():
            self.set(key, value)


class StaticData:
    def __init__(self, parts):
        self._parts = parts
        self._live = {}

    def get(self, kind):
        if kind not in ("global", "node"):
            raise ValueError(f'static data is "global" or "node", not "{kind}"')
        if kind not in self._live:
            self._live[kind] = fresh(self._parts[kind])
        return self._live[kind]

    def changes(self):
        changed = {kind: plain(data) for kind, data in self._live.items()}
        return {kind: data for kind, data in changed.items() if data != self._parts[kind]} or None


def jmespath(data, expression):
    return fresh(json.loads(search(dump(data), expression)))


def at(ms, offset):
    return datetime.fromtimestamp(ms / 1000, timezone(timedelta(minutes=offset)))


def input_items():
    """The items know their places, so that those which are passed on keep the link."""
    items = [fresh({**table[place], "pairedItem": {"item": index}}) for index, place in enumerate(scope["items"])]
    return items if native else Records(items)


output = Output()
custom_data = CustomData(scope["customData"])
static_data = StaticData(request["staticData"])


def names_of(items):
    clock = request["clock"]
    execution = Record(scope["execution"])
    dict.__setitem__(execution, "customData", custom_data)
    return {
        "_input": Input(items),
        "_items": items,
        "_": Node,
        "_node": NodeTable(),
        "_now": at(clock["nowMs"], clock["nowOffset"]),
        "_today": at(clock["todayMs"], clock["todayOffset"]),
        "_jmespath": jmespath,
        "_execution": execution,
        "_workflow": Record(scope["workflow"]),
        "_vars": fresh(scope["vars"]),
        "_env": fresh(scope["env"]),
        "_runIndex": scope["runIndex"],
        "_mode": scope["mode"],
        "_prevNode": fresh(scope["previousNode"]),
        "_getWorkflowStaticData": static_data.get,
    }


def names_at(items, index):
    item = items[index] if index < len(items) else None
    if native:
        return {"_item": item} if each else {"_items": items}
    names = {"_json": item and item["json"], "_binary": item and item.get("binary"), "_itemIndex": index}
    return {**names, "_item": item} if each else names


def compiled(source):
    tree = ast.parse(source, "<code>")
    wrapper = ast.parse("async def __code__():\n  pass", "<code>")
    wrapper.body[0].body = tree.body or wrapper.body[0].body
    return compile(wrapper, "<code>", "exec")


def line_of(error):
    if isinstance(error, SyntaxError) and error.filename == "<code>":
        return error.lineno
    lines = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == "<code>"]
    return lines[-1] if lines else None


def failure_of(error, index):
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    failure = {"message": (f"{type(error).__name__}: {text}" if text else type(error).__name__)[:10_000]}
    line = line_of(error)
    if line:
        failure["line"] = line
    if index is not None:
        failure["itemIndex"] = index
    if isinstance(error, MemoryError):
        failure["outOfMemory"] = True
    return failure


async def value_of(code):
    value = await code()
    return "[]" if value is None else "[" + dump(value) + "]"


async def run_all():
    values = []
    length = 0
    index = None
    try:
        items = input_items()
        own = {"__name__": "builtins"} if native else {"__name__": "__main__", **names_of(items)}
        names = {**own, **names_at(items, 0)}
        exec(compiled(request["source"]), names)
        code = names["__code__"]
        for place in range(min(len(items), scope["itemCount"]) if each else 1):
            global cursor
            cursor = place
            index = place if each else None
            names.update(names_at(items, place))
            try:
                values.append(await value_of(code))
            except Exception as error:
                if not each or not request["continueOnFail"] or isinstance(error, MemoryError):
                    raise
                values.append(json.dumps(failure_of(error, index)))
            length += len(values[-1])
            if length > request["maxOutputLength"]:
                return {"failure": {"message": "the code returned too much data", "tooMuch": True}}
        return {
            "values": values,
            "customData": custom_data.changed or None,
            "staticData": static_data.changes(),
        }
    except BaseException as error:
        return {"failure": failure_of(error, index)}


async def main():
    sys.stdout = sys.stderr = output
    result = await run_all()
    if needs:
        return json.dumps({"needs": needs})
    values = result.pop("values", None)
    parts = [] if values is None else ['"values":[' + ",".join(values) + "]"]
    result["logs"] = output.finish()
    return "{" + ",".join([*parts, *(json.dumps(key) + ":" + json.dumps(part) for key, part in result.items())]) + "}"


await main()
`;
