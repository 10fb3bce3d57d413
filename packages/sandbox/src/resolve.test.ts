import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@sluice/domain';
import { itemsOf, makeScope, never } from '../tests/scope-fixture.ts';
import { createSandbox, type EvaluationScope } from './index.ts';

const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 64, threads: 1 });
afterAll(() => sandbox.close());

async function resolve(parameters: Record<string, JsonValue>, scope: EvaluationScope = makeScope()) {
  return sandbox.resolve(sandbox.compile(parameters), scope, never);
}

async function evaluate(source: string, scope?: EvaluationScope, itemIndex = 0) {
  return (await resolve({ p: `=${source}` }, scope)).get('p', itemIndex);
}

const node = (...objects: Parameters<typeof itemsOf>) => [{ outputs: [itemsOf(...objects)] }];

test('a parameter named __proto__ is like any other, even next to expressions', async () => {
  const compiled = sandbox.compile(JSON.parse('{"a":{"__proto__":{"x":1},"b":"={{ $json.n }}"}}'));
  const resolved = await sandbox.resolve(compiled, makeScope({ items: itemsOf({ n: 1 }) }), never);
  const value = resolved.get('a', 0) as object;
  expect(JSON.stringify(value)).toBe('{"__proto__":{"x":1},"b":1}');
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

test('both references to a node have the index of its last run', async () => {
  const scope = makeScope({ runs: { A: [...node({}), ...node({})], Idle: [] } });
  expect(await evaluate('{{ [$("A").runIndex, $node["A"].runIndex, $("Idle").runIndex] }}', scope)).toEqual([1, 1, -1]);
});

describe('parameters without expressions', () => {
  test('are shared, not copied, and never start a thread', () => {
    const parameters = { a: { b: [1, 2] }, c: 'plain {{ 1 }}', d: '=text' };
    const compiled = sandbox.compile(parameters);
    const resolved = sandbox.resolve(compiled, makeScope(), never);
    if (resolved instanceof Promise) throw new Error('static parameters were not resolved at once');
    expect(compiled.dynamic).toBe(false);
    expect(resolved.get('a', 0)).toBe(parameters.a);
    expect(resolved.get('a.b.1', 0)).toBe(2);
    expect(resolved.get('c', 0)).toBe('plain {{ 1 }}');
    expect(resolved.get('d', 0)).toBe('text');
    expect(resolved.get('a.none.x', 0)).toBeUndefined();
    expect(resolved.get('constructor', 0)).toBeUndefined();
  });
});

test('an item of another node keeps its pairing, but items returned by code do not', async () => {
  const [first = { json: {} }, second = { json: {} }] = itemsOf({ v: 1 }, { v: 2 });
  const pairs = Array.from({ length: 101 }, (_, item) => ({ item }));
  const outputs = [
    { ...first, pairedItem: { item: 4, input: 1 } },
    { ...second, pairedItem: pairs },
  ];
  const scope = makeScope({ items: itemsOf({}, {}), runs: { A: [{ outputs: [outputs] }] } });
  expect(await evaluate('{{ [$("A").item.pairedItem, $("A").item] }}', scope)).toEqual([
    { item: 4, input: 1 },
    { json: { v: 1 } },
  ]);
  expect(await evaluate('{{ [$("A").itemMatching(0).pairedItem.input].concat(1) }}', scope)).toEqual([1, 1]);
  expect(await evaluate('{{ [$("A").item.pairedItem ?? "too many"] }}', scope, 1)).toEqual(['too many']);
});

test.each(['{{ $("A").item?.json.a ?? "none" }}', '{{ [1].map(() => $("A").item?.json.a ?? "none")[0] }}'])(
  'the origin of an item that bypassed the node is undefined: %s',
  async (expression) => {
    const runs = { A: [{ outputs: [itemsOf({ a: 1 })] }] };
    const scope = makeScope({ items: itemsOf({}), runs, pairedItem: () => ({ item: undefined }) });
    expect(await evaluate(expression, scope)).toBe('none');
  },
);

describe('plain paths', () => {
  test('are resolved immediately', () => {
    const compiled = sandbox.compile({ p: '={{ $json.a }}' });
    expect(sandbox.resolve(compiled, makeScope(), never)).not.toBeInstanceOf(Promise);
  });

  test('have the same result in the guest in every form', async () => {
    const scope = makeScope({
      items: itemsOf({ a: { b: ['x', 'yz'] }, n: 1 }, { n: 2 }),
      runs: { A: node({ v: 1 }, { v: 2 }, { v: 3 }), Idle: [] },
      parameters: { A: { url: 'u' }, Idle: { url: 'i' } },
      contextOf: (name) => (name === 'A' ? { left: 2 } : undefined),
      previousNode: { name: 'A', outputIndex: 0, runIndex: 0 },
      runIndex: 3,
      vars: { k: 'v' },
      env: { E: 'e' },
    });
    const sources = [
      '$json',
      '$json.a.b[1].length',
      '$json.a.b.length',
      '$json.a.b[1][0]',
      '$json.none?.x',
      '$json.none.x.y',
      '$json["a"]["b"]',
      '$("A").item.json.v',
      '$("A").first().json.v',
      '$("A").last().json.v',
      '$("A").all().length',
      '$("A").all()[1].json',
      '$("A").isExecuted',
      '$("Idle").isExecuted',
      '$("A").params.url',
      '$node["A"].json.v',
      '$node["A"].runIndex',
      '$node["A"].context.left',
      '$node["A"]',
      '$node["Idle"].parameter.url',
      '$node["Idle"].context',
      '$node["Idle"].runIndex',
      '$("A").context["left"]',
      '$("Idle").context',
      '$input.item.json.n',
      '$input.first().json.n',
      '$input.all()[1].json.n',
      '$itemIndex',
      '$runIndex',
      '$workflow',
      '$execution',
      '$vars.k',
      '$env.E',
      '$prevNode.name',
      '"text"',
      '-2',
      'null',
    ];
    for (const itemIndex of [0, 1]) {
      for (const source of sources) {
        const plain = await evaluate(`{{ ${source} }}`, scope, itemIndex);
        const guest = await evaluate(`{{ (() => ${source})() }}`, scope, itemIndex);
        expect({ source, value: guest }).toEqual({ source, value: plain });
      }
    }
  });

  test('read own properties only', async () => {
    const scope = makeScope({ items: itemsOf({ a: {}, s: 'x', l: [] }) });
    for (const source of ['$json.none', '$json.s.none', '$json.l.none', '$env.PATH', '$vars.none']) {
      expect(await evaluate(`{{ ${source} }}`, scope)).toBeUndefined();
    }
    for (const source of ['$json.toString', '$json.a.hasOwnProperty', '$env.toString', '$vars.valueOf']) {
      await expect(evaluate(`{{ ${source} }}`, scope)).rejects.toThrow('this is a function');
    }
  });
});

test('a native date in a string is in ISO form, as it is on its own', async () => {
  expect(await evaluate('at {{ new Date(0) }}, {{ [new Date(1)] }}')).toBe(
    'at 1970-01-01T00:00:00.000Z, 1970-01-01T00:00:00.001Z',
  );
  expect(await evaluate('at {{ new Date("x") }}')).toBe('at Invalid Date');
});

test.each(['a {{ $json.none * 2 }} b', 'a {{ (() => NaN)() }} b'])('NaN inserts nothing within text: %s', async (text) => {
  expect(await evaluate(text)).toBe('a  b');
});

test('$nodeId is the ID of the node, if it has an ID', async () => {
  const scope = makeScope({ node: { id: 'n-1', name: 'Self', parameters: {} } });
  expect(await evaluate('{{ $nodeId }}', scope)).toBe('n-1');
  expect(await evaluate('{{ $nodeId }}')).toBeUndefined();
});

test.each(['foo[', '', 'unknown(@)', 'length(`1`)'])(
  'an invalid JMESPath expression makes the value undefined: %j',
  async (path) => {
    expect(await evaluate(`{{ $jmespath({ a: 1 }, ${JSON.stringify(path)}) }}`)).toBeUndefined();
  },
);

test('$item() has the input of its item', async () => {
  const scope = makeScope({ items: itemsOf({ v: 1 }, { v: 2 }) });
  expect(await evaluate('{{ [$item(1).$input.item.json.v, $item(1).$input.first().json.v] }}', scope)).toEqual([2, 1]);
});

test('a node that takes one item can read the items that match the others', async () => {
  const runs = { A: node({ v: 1 }, { v: 2 }, { v: 3 }) };
  const scope = makeScope({ items: itemsOf({}, {}, {}), itemCount: 1, runs });
  const source = '[$("A").item.json.v, $("A").itemMatching(2).json.v, $("A").pairedItem(1).json.v]';
  expect(await evaluate(`{{ ${source} }}`, scope)).toEqual([1, 3, 2]);
  await expect(evaluate('{{ $("A").itemMatching(3).json.v }}', scope)).rejects.toThrow('there is no item 3');
});

test('an integer beyond the range of JSON numbers is text', async () => {
  expect(await evaluate('{{ [2n ** 64n] }}')).toEqual(['18446744073709551616']);
});

test('a third argument of $if that is missing in the item yields undefined, not false', async () => {
  expect(await evaluate('{{ $if(false, 1, $json.missing) }}')).toBeUndefined();
});

describe('an item whose JSON is a list', () => {
  const scope = makeScope({ items: [{ json: [{ n: 1 }, { n: 2 }] as never }] });

  test.each([
    ['$json[1].n', 2],
    ['$json.length', 2],
    ['$json', [{ n: 1 }, { n: 2 }]],
    ['$json.map(({ n }) => n)', [1, 2]],
    ['$json.filter(({ n }) => n > 1).length', 1],
    ['$json[0].n + $json.length', 3],
    ['$input.first().json.length', 2],
    ['$json.last().n', 2],
    ['Array.isArray($json)', true],
  ])('%s', async (source, expected) => {
    expect(await evaluate(`{{ ${source} }}`, scope)).toEqual(expected);
  });
});

describe('a value', () => {
  test('keeps its type when the expression is the whole string', async () => {
    const scope = makeScope({ items: itemsOf({ n: 1, list: [1], none: null }) });
    expect(await evaluate('{{ $json.n }}', scope)).toBe(1);
    expect(await evaluate('{{ $json.list }}', scope)).toEqual([1]);
    expect(await evaluate('{{ $json.none }}', scope)).toBeNull();
    expect(await evaluate('{{ $json.n + 1 }}', scope)).toBe(2);
    expect(await evaluate('{{ {a: {b: 1}} }}', scope)).toEqual({ a: { b: 1 } });
  });

  test.each(['{{ $json.o }}', '{{ Object($json.o) }}'])(
    'within text is converted as the language converts it: %s',
    async (object) => {
      const scope = makeScope({ items: itemsOf({ list: [1, [null, 'x']], o: { toString: 1 }, none: null, t: true }) });
      const text = await evaluate(`a {{ $json.list }} ${object} [{{ $json.none }}{{ $json.undef }}] {{ $json.t }}`, scope);
      expect(text).toBe('a 1,,x [object Object] [] true');
    },
  );

  test('is undefined if it reads, calls, or names something that does not exist', async () => {
    for (const source of ['$json.a.b.c()', '$json.nope()', 'nobody', 'null.x', 'process.env', 'require("fs")']) {
      expect(await evaluate(`{{ ${source} }}`)).toBeUndefined();
    }
  });

  test('that is undefined is omitted from an object and null in an array', async () => {
    const resolved = await resolve({ o: { a: '={{ $json.x }}', b: 1 }, l: ['={{ $json.x }}', 2] });
    expect(resolved.get('', 0)).toEqual({ o: { b: 1 }, l: [null, 2] });
    expect(resolved.get('l.0', 0)).toBeUndefined();
  });

  test('that is data can be read by path', async () => {
    const resolved = await resolve({ p: '={{ [{a: {b: 5}}] }}' });
    expect(resolved.get('p.0.a.b', 0)).toBe(5);
    expect(resolved.get('p.0.constructor', 0)).toBeUndefined();
  });

  test('is data: its braces are not evaluated again', async () => {
    const scope = makeScope({ items: itemsOf({ a: '={{ 1 + 1 }}' }) });
    expect(await evaluate('{{ $json.a }}', scope)).toBe('={{ 1 + 1 }}');
    expect(await evaluate('{{ $json.a + "" }}', scope)).toBe('={{ 1 + 1 }}');
  });
});

test.each(['1; 2', '1\n2', '\n1;\n$json.missing.x ?? 3'])(
  'the first of several statements determines the value: %j',
  async (source) => {
    expect(await evaluate(`{{ ${source} }}`)).toBe(1);
  },
);

describe('an error', () => {
  const failing = {
    'does not parse': '{{ 1 + }}',
    'is not allowed': '{{ $json.constructor }}',
    'there is no node "X"': '{{ $("X").item.json }}',
    'node "Idle" has not run': '{{ $("Idle").item.json.a }}',
    'no paired item in "A"': '{{ $("A").item.json.a.trim() }}',
    'cannot convert "x" to a number': '{{ "x".toNumber() }}',
  };
  const scope = makeScope({ items: itemsOf({}, {}), runs: { A: node(), Idle: [] } });

  test.each(Object.entries(failing))('is thrown on access, with item and parameter: %s', async (message, source) => {
    const resolved = await resolve({ a: { p: `=${source}` }, fine: '={{ 1 + 1 }}' }, scope);
    const expected = expect.objectContaining({
      code: 'EXPRESSION_ERROR',
      message: expect.stringContaining(message),
      itemIndex: 1,
      details: { parameter: 'a.p', itemIndex: 1 },
    });
    expect(resolved.get('fine', 1)).toBe(2);
    for (const path of ['a.p', 'a', '']) expect(() => resolved.get(path, 1)).toThrow(expected as unknown as Error);
  });

  test.each([
    'JSON.parse("x")',
    'new Date("x").toISOString()',
    'DateTime.fromMillis($json.x)',
    '$now.minus(1, "moons")',
    'decodeURIComponent("%")',
    '"a".repeat(-1)',
    '(() => { throw new Error("boom") })()',
    '(() => { throw "boom" })()',
  ])('of the language, a library, or the expression’s own code makes the value undefined: %s', async (source) => {
    expect(await evaluate(`{{ ${source} }}`)).toBeUndefined();
    expect(await evaluate(`a {{ ${source} }} b`)).toBe('a  b');
  });

  test.each([
    '$json.constructor',
    '$json["__proto__"]',
    'Object.getPrototypeOf({})',
    '(() => {}).constructor("return 1")()',
    '$json["constr" + "uctor"]["constr" + "uctor"]("return 1")()',
    '$json["__pro" + "to__"]',
    'Object["getProto" + "typeOf"]($json)',
    'Array.prototype.x',
  ])('rejects access to constructors and prototypes: %s', async (source) => {
    await expect(evaluate(`{{ ${source} }}`)).rejects.toThrow('is not allowed');
  });
});

describe('the language', () => {
  const scope = makeScope({
    items: itemsOf({ a: [3, 1, 2], s: ' x ' }, { a: [], s: '' }),
    runs: { A: [{ outputs: [itemsOf({ v: 1 }), itemsOf({ v: 2 })] }, { outputs: [itemsOf({ v: 3 }), itemsOf({ v: 4 })] }] },
    outputOf: () => 1,
    previousNode: { name: 'A', outputIndex: 1, runIndex: 1 },
    execution: { id: '1', mode: 'webhook' },
  });

  test.each<[string, JsonValue]>([
    ['$json.s.trim()', 'x'],
    ['$json.a.map(n => n * 2)', [6, 2, 4]],
    ['$if($json.a.length > 2, "many", "few")', 'many'],
    ['$ifEmpty("", "none") + $ifEmpty([], 1) + $ifEmpty({}, 2) + $ifEmpty(0, 3)', 'none120'],
    ['$max(1, 3) - $min(1, 3)', 2],
    ['[$max([1, "3"], 2), $min("2"), $max(), isNaN($min(1, "x"))]', [3, 2, null, true]],
    ['$max(numberList(1, 200000)) - $min(numberList(1, 200000))', 199_999],
    ['$("A").first().json.v', 4],
    ['$("A").first(0, 0).json.v', 1],
    ['$items("A", 1)[0].json.v', 4],
    ['$items("A")[0].json.v', 3],
    ['$items().length', 2],
    ['$item(1).$json.s', ''],
    ['$item("0").$node["A"].json.v', 4],
    ['$execution.mode + $prevNode.outputIndex', 'production1'],
    ['$(["A"].join("")).first().json.v', 4],
    ['$node["A"].json["v"] + 0', 4],
    ['new Date(0)', '1970-01-01T00:00:00.000Z'],
    ['typeof $json.s.at', 'function'],
  ])('supports %s', async (source, expected) => {
    expect(await evaluate(`{{ ${source} }}`, scope)).toEqual(expected);
  });

  test('an expression that changes its input affects only itself', async () => {
    const resolved = await resolve({ a: '={{ $json.a.sort() }}', b: '={{ $json.a.concat() }}' }, scope);
    expect(resolved.get('a', 0)).toEqual([1, 2, 3]);
    expect(resolved.get('b', 0)).toEqual([3, 1, 2]);
  });

  test('random numbers differ between calls', async () => {
    const [first, second] = [await evaluate('{{ Math.random() }}'), await evaluate('{{ Math.random() }}')];
    expect(first).not.toBe(second);
    expect(first).toBeGreaterThanOrEqual(0);
    expect(first).toBeLessThan(1);
  });

  test.each<[string, JsonValue]>([
    ['$now.toISO()', '2026-03-29T00:30:00.000+01:00'],
    ['$today', '2026-03-29T00:00:00.000+01:00'],
    ['$today.plus({ days: 1 }).toISO()', '2026-03-30T00:00:00.000+02:00'],
    ['$now.setZone("America/New_York").toFormat("yyyy-MM-dd HH:mm ZZ")', '2026-03-28 19:30 -04:00'],
    ['DateTime.fromISO("2026-07-01").toISO()', '2026-07-01T00:00:00.000+02:00'],
    ['DateTime.fromISO("nonsense").isValid', false],
    ['$now.setZone("No/Where").isValid', false],
    ['Duration.fromISO("PT90M").as("hours")', 1.5],
    ['Interval.after($now, { hours: 2 }).length("minutes")', 120],
    ['luxon.Info.hasDST("Europe/Berlin")', true],
    ['$now.setLocale("fr").toFormat("d MMMM")', '29 mars'],
    ['new Date(0).toLocaleDateString("de-DE")', '1.1.1970'],
  ])('supports dates in the time zone of the workflow: %s', async (source, expected) => {
    expect(await evaluate(`{{ ${source} }}`)).toEqual(expected);
  });
});

test('all items are resolved in one call', async () => {
  const items = Array.from({ length: 500 }, (_, n) => ({ json: { n } }));
  const resolved = await resolve({ p: '={{ $json.n.toFixed(1) }}' }, makeScope({ items }));
  expect(items.map((_, index) => resolved.get('p', index))).toEqual(items.map(({ json }) => json.n.toFixed(1)));
});

test('a node without items evaluates once, without $json', async () => {
  const scope = makeScope({ items: [] });
  expect(await evaluate('{{ $json.a }}', scope)).toBeUndefined();
  expect(await evaluate('{{ $itemIndex + 1 }}', scope)).toBe(1);
});

test('$input.params are the parameters of the node that the items come from', async () => {
  const node = { name: 'Self', parameters: { mine: 1 } };
  const previousNode = { name: 'Before', outputIndex: 0, runIndex: 0 };
  const scope = makeScope({ node, previousNode, parameters: { Before: { url: 'x', list: [1] } } });
  expect(await evaluate('{{ $input.params }}', scope)).toEqual({ url: 'x', list: [1] });
  expect(await evaluate('{{ $input.params.url }}', scope)).toBe('x');
  expect(await evaluate('{{ $parameter.mine }}', scope)).toBe(1);
  expect(await evaluate('{{ $input.params }}', makeScope({ node }))).toBeUndefined();
});

test('the older names of the language are available, and an item without files has an empty $binary', async () => {
  const scope = makeScope({ items: itemsOf({ a: 1 }, { a: 2 }) });
  const expression = '{{ [$data.a, $position, $mode, Object.keys($binary).length] }}';
  expect(await evaluate(expression, scope, 1)).toEqual([2, 1, 'manual', 0]);
  const ofRun = '{{ [$json.a, $thisItem.json.a, $thisItemIndex, $thisRunIndex] }}';
  expect(await evaluate(ofRun, scope, 1)).toEqual([2, 2, 1, 0]);
  const resumable = makeScope({ execution: { id: '7', mode: 'manual', resumeUrl: 'https://me.example/7' } });
  expect(await evaluate('{{ [$executionId, $resumeWebhookUrl] }}', resumable)).toEqual(['7', 'https://me.example/7']);
  expect(await evaluate('{{ $binary }}', scope)).toEqual({});
});

test('$rawParameter has the parameters as written', async () => {
  const node = { name: 'Self', parameters: { mine: '={{ 1 + 1 }}' } };
  expect(await evaluate('{{ $rawParameter.mine }}', makeScope({ node }))).toBe('={{ 1 + 1 }}');
});

test('parameters nested too deeply are rejected', () => {
  let parameters: JsonValue = '={{ 1 }}';
  for (let depth = 0; depth < 300; depth += 1) parameters = [parameters];
  expect(() => sandbox.compile({ parameters })).toThrow('nested too deeply');
});

test.each([['1'], ['={{ 1 + 1 }}']])(
  'a parameter whose name contains dots is found by that name, before a path: %s',
  async (other) => {
    const resolved = await resolve({ 'a.b': 'dotted', a: { b: 'nested', c: 'c' }, other });
    expect([resolved.get('a.b', 0), resolved.get('a.c', 0), resolved.get('a.b.c', 0)]).toEqual(['dotted', 'c', undefined]);
  },
);
