import { afterAll, describe, expect, test } from '@jest/globals';
import { itemsOf, makeScope, never, type ScopeFixture } from '../../tests/scope-fixture.ts';
import { type CodeRunRequest, createSandbox } from '../index.ts';
import { pythonClock } from './clock.ts';
import { findPythonReferences } from './find-references.ts';
import { canConfinePython } from './process.ts';

const sandbox = createSandbox({ timeoutMs: 120_000, memoryMb: 64, threads: 1 });
afterAll(() => sandbox.close());

const fixture: ScopeFixture = {
  items: itemsOf({ n: 1 }, { n: 2 }),
  runs: { A: [{ outputs: [itemsOf({ v: 1 }, { v: 2 })] }], 'not run': [] },
  vars: { region: 'eu' },
};

function run(source: string, request: Partial<CodeRunRequest> = {}) {
  return sandbox.runCode({ source, language: 'python', mode: 'allItems', scope: makeScope(fixture), ...request }, never);
}

const jsonOf = ({ items }: { items: { json: unknown }[] }) => items.map(({ json }) => json);

describe('Python over all items', () => {
  test('has the names of the expression language, including computed names of nodes', async () => {
    const result = await run(
      `
import math
name = "A"
print("region", _vars.region)
print("one\\ntwo")
_execution.customData.set("key", "value")
_getWorkflowStaticData("global")["count"] = 1
return [{
  "all": [item.json.n for item in _input.all()],
  "same": [_items[1].json["n"], _input.first().json.n, _input.last().json.n, _input.item.json.n, _json.n],
  "nodes": [_("A").all()[1].json.v, _("A").item.json.v, _(name).first().json.v, _node["A"].json.v, _(name).isExecuted],
  "now": _now.isoformat(), "today": _today,
  "jmespath": _jmespath({"a": [{"b": 1}, {"b": 2}]}, "a[*].b"),
  "ids": [_workflow.id, _workflow.name, _execution.id, _execution.mode],
  "values": [float("nan"), (1, 2), None, True, "ü€😀" * 100, math.floor(2.5)],
}]`,
      { staticData: async () => ({ global: {}, node: {} }) },
    );
    expect(jsonOf(result)).toEqual([
      {
        all: [1, 2],
        same: [2, 1, 2, 1, 1],
        nodes: [2, 1, 1, 1, true],
        now: '2026-03-29T00:30:00+01:00',
        today: '2026-03-29T00:00:00+01:00',
        jmespath: [1, 2],
        ids: ['w1', 'Orders', '42', 'test'],
        values: [null, [1, 2], null, true, 'ü€😀'.repeat(100), 2],
      },
    ]);
    expect(result.logs).toEqual(['region eu', 'one', 'two']);
    expect(result.customData).toEqual({ key: 'value' });
    expect(result.staticData).toEqual({ global: { count: 1 } });
  });

  test('receives a long string of characters outside the basic plane unchanged', async () => {
    const text = `a${'😀'.repeat(300_000)}`;
    const scope = makeScope({ items: itemsOf({ text }) });
    const source = 'text = _items[0].json.text\nreturn [{"same": text == "a" + "😀" * 300_000}]';
    expect(jsonOf(await run(source, { scope }))).toEqual([{ same: true }]);
  });

  test('reads the output that leads to the node, and None for the origin of an item that bypassed another node', async () => {
    const outputs = [itemsOf({ v: 1 }), itemsOf({ v: 2 })];
    const scope = makeScope({ runs: { A: [{ outputs }] }, outputOf: () => 1, pairedItem: () => ({ item: undefined }) });
    const source = 'return [{"seen": [_("A").first().json.v, _("A").all(0)[0].json.v, _("A").item is None]}]';
    expect(jsonOf(await run(source, { scope }))).toEqual([{ seen: [2, 1, true] }]);
  });

  test('two runs get different random values, although both start from one snapshot', async () => {
    const source = `
import os, random, secrets, ssl, tempfile, uuid
return [{
  "random": random.random(), "own": random.Random().random(), "os": os.urandom(8).hex(), "secrets": secrets.token_hex(8),
  "ssl": ssl.RAND_bytes(8).hex(), "uuid": str(uuid.uuid4()), "time": str(uuid.uuid1()), "file": tempfile.mktemp(),
}]`;
    const drawn = [await run(source), await run(source)].flatMap(jsonOf) as Record<string, unknown>[];
    expect(Object.keys(drawn[0] ?? {})).toHaveLength(8);
    expect(Object.entries(drawn[0] ?? {}).filter(([kind, value]) => value === drawn[1]?.[kind])).toEqual([]);
  });

  test('native code receives the items as plain dicts, which keep their link', async () => {
    const source = `
import asyncio
await asyncio.sleep(0.01)
try:
  _input
except NameError:
  _items[1]["json"]["type"] = type(_items[1]).__name__
return _items[1:]`;
    const { items } = await run(source, { language: 'pythonNative' });
    expect(items).toEqual([{ json: { n: 2, type: 'dict' }, pairedItem: { item: 1 } }]);
  });

  test('native code is not the main program, so a file that also runs alone skips that part', async () => {
    const source = `
if __name__ == "__main__":
  import click
else:
  return [{"name": __name__}]`;
    expect(jsonOf(await run(source, { language: 'pythonNative' }))).toEqual([{ name: 'builtins' }]);
  });

  test('an error names the line and keeps the output', async () => {
    const error = run('print("before")\n\nreturn 1 / 0').catch((reason: unknown) => reason);
    expect(await error).toMatchObject({ message: 'ZeroDivisionError: division by zero', line: 3, logs: ['before'] });
  });

  test('a syntax error names the line', async () => {
    await expect(run('x = 1\nreturn (')).rejects.toMatchObject({ message: expect.stringContaining('SyntaxError'), line: 2 });
  });
});

describe('Python for each item', () => {
  test('runs once per item; if the node continues on failure, a failure does not affect other items', async () => {
    const source = 'if _item.json.n == 2:\n  raise ValueError("bad")\nreturn {"n": _json.n * 10, "at": _itemIndex}';
    const { items, failures } = await run(source, { mode: 'eachItem', continueOnFail: true });
    expect(items).toEqual([{ json: { n: 10, at: 0 }, pairedItem: { item: 0 } }, { json: {} }]);
    expect(failures?.get(1)).toMatchObject({ message: 'ValueError: bad', line: 2, itemIndex: 1 });
  });
});

test('Python requires a Node version that can deny network access to a process', () => {
  expect(canConfinePython(new Set(['--permission']))).toBe(false);
  expect(canConfinePython(new Set(['--permission', '--allow-net']))).toBe(true);
});

test('nodes named in the text are known before the run', () => {
  const { needs } = findPythonReferences('_("A").all() + [_(\'B\').item, _node["C"].json, x_("D")]');
  expect(needs).toEqual([
    { node: 'A', aspect: 'runs' },
    { node: 'B', aspect: 'paired' },
    { node: 'C', aspect: 'runs' },
  ]);
});

test.each([
  ['2026-03-29T00:30:00Z', '2026-03-28T23:00:00.000Z', 60, 60],
  ['2026-03-29T10:00:00Z', '2026-03-28T23:00:00.000Z', 120, 60],
  ['2026-12-31T23:30:00Z', '2026-12-31T23:00:00.000Z', 60, 60],
])('at %s, the day in Berlin started at %s', (now, today, nowOffset, todayOffset) => {
  const clock = pythonClock(Date.parse(now), 'Europe/Berlin');
  expect(clock).toEqual({ nowMs: Date.parse(now), todayMs: Date.parse(today), nowOffset, todayOffset });
});
