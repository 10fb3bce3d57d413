import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/domain';
import { useSandbox } from '../tests/host-fixture.ts';
import { itemsOf, makeScope, never, type ScopeFixture } from '../tests/scope-fixture.ts';
import type { EvaluationScope } from './index.ts';

const { sandbox, hasMoved } = useSandbox();

/** The scope of a node with these parameters. */
function scopeOf(parameters: JsonObject, over: ScopeFixture = {}): EvaluationScope {
  return makeScope({
    items: itemsOf({ n: 1, host: 'a.example' }, { n: 2, host: 'b.example' }),
    runs: { A: [{ outputs: [itemsOf({ v: 4 }, { v: 5 })] }] },
    vars: { rate: '1.5' },
    node: { name: 'Self', parameters },
    compiledParameters: sandbox.compile(parameters),
    ...over,
  });
}

/** The value of `p` for each item. */
async function valuesOf(parameters: JsonObject, scope = scopeOf(parameters)): Promise<(JsonValue | undefined)[]> {
  const resolved = await sandbox.resolve(sandbox.compile(parameters), scope, never);
  return scope.items.map((_, index) => resolved.get('p', index));
}

/** Forces evaluation in the guest, because the host has no comma operator. */
const guestOnly = (source: string) => `={{ (0, ${source}) }}`;

describe('$parameter of an expression is its value for the same item', () => {
  test.each<[string, JsonObject, string, JsonValue[]]>([
    ['a path', { x: '={{ $json.n }}' }, '$parameter.x', [1, 2]],
    ['a name in brackets', { 'a b': '={{ $json.n }}' }, '$parameter["a b"]', [1, 2]],
    ['an operation', { x: '={{ $json.n * 2 }}' }, '$parameter.x + 1', [3, 5]],
    [
      'text with expressions',
      { x: '=https://{{ $json.host }}/' },
      '$parameter.x',
      ['https://a.example/', 'https://b.example/'],
    ],
    ['a member of the value', { x: '={{ $json }}' }, '$parameter.x.host', ['a.example', 'b.example']],
    [
      'a chain',
      { x: '={{ $parameter.y }}', y: '={{ $parameter.z + $itemIndex }}', z: '={{ $json.n }}' },
      '$parameter.x',
      [1, 3],
    ],
    ['another node', { x: '={{ $("A").item.json.v }}' }, '$parameter.x', [4, 5]],
    ['a variable', { x: '={{ $vars.rate }}' }, '$parameter.x', ['1.5', '1.5']],
    ['a literal', { x: '={{ 5 }}' }, '$parameter.x', [5, 5]],
    ['fixed text', { x: 'fixed' }, '$parameter.x', ['fixed', 'fixed']],
  ])('%s', async (_, parameters, source, values) => {
    const inHost = { ...parameters, p: `={{ ${source} }}` };
    expect(hasMoved(inHost, scopeOf(inHost))).toBe(false);
    expect(await valuesOf(inHost)).toEqual(values);
    const inGuest = { ...parameters, p: guestOnly(source) };
    expect(hasMoved(inGuest, scopeOf(inGuest))).toBe(true);
    expect(await valuesOf(inGuest)).toEqual(values);
  });

  test('even if only the guest can evaluate it, with the data that it refers to', async () => {
    const x = guestOnly('$json.n + $("A").all()[0].json.v + Number($vars.rate)');
    expect(await valuesOf({ x, p: '={{ $parameter.x }}' })).toEqual([6.5, 7.5]);
    const computed = guestOnly('$("" + "A").item.json.v');
    expect(await valuesOf({ x: computed, p: '={{ $parameter.x }}' })).toEqual([4, 5]);
    const dates = guestOnly('DateTime.fromISO("2026-01-31").plus({ months: $json.n }).toISODate()');
    expect(await valuesOf({ x: dates, p: '={{ $parameter.x.slice(5) }}' })).toEqual(['02-28', '03-31']);
  });

  test('even if another expression changes the data that it reads', async () => {
    const x = guestOnly('[1, 2].concat(Object.assign($json, { n: 9 }).n)');
    expect(await valuesOf({ x, p: '={{ [$parameter.x[2], $json.n] }}' })).toEqual([
      [9, 1],
      [9, 2],
    ]);
  });

  test.each(['$json.none', '(0, $json.none.deeper)'])('undefined for an expression without a value: %s', async (source) => {
    const x = `={{ ${source} }}`;
    expect(await valuesOf({ x, p: '={{ $parameter.x }}' })).toEqual([undefined, undefined]);
    expect(await valuesOf({ x, p: '={{ typeof $parameter.x }}' })).toEqual(['undefined', 'undefined']);
  });
});

describe('$node["x"].parameter of an expression', () => {
  const readOf = (source: string, nodes: Record<string, JsonObject>, own: JsonObject = {}) => {
    const parameters = { ...own, p: `={{ ${source} }}` };
    const compiledParametersOf = (name: string) => nodes[name] && sandbox.compile(nodes[name]);
    return valuesOf(parameters, scopeOf(parameters, { parameters: nodes, compiledParametersOf }));
  };

  test.each<[string, string, JsonValue[]]>([
    ['a path', '$node["B"].parameter.x', [1, 2]],
    ['a node by its name', '$node.B.parameter["x"]', [1, 2]],
    ['an operation', '$node["B"].parameter.x + $node["B"].parameter.x', [2, 4]],
    ['what only the guest evaluates', '$node["B"].parameter.guest', [2, 3]],
    ['fixed text', '$node["B"].parameter.fixed', ['yes', 'yes']],
    ['an expression that reads another parameter of a third node', '$node["B"].parameter.third', ['a.example', 'b.example']],
    ['a chain that leads back to this node', '$node["B"].parameter.back', [10, 20]],
    ['text below a group', '$node["B"].parameter.group.x', ['={{ $json.n }}', '={{ $json.n }}']],
    ['.params of the node', '$("B").params.x', ['={{ $json.n }}', '={{ $json.n }}']],
    ['a computed name', '$node["" + "B"].parameter.x', ['={{ $json.n }}', '={{ $json.n }}']],
    ['nothing', '$node["B"].parameter.nope', [undefined, undefined] as never],
  ])('is its value for the current item, or the text as written: %s', async (_, source, values) => {
    const b = {
      x: '={{ $json.n }}',
      guest: guestOnly('$json.n + 1'),
      fixed: 'yes',
      third: '={{ $node["C"].parameter.host }}',
      back: '={{ $node["Self"].parameter.own }}',
      group: { x: '={{ $json.n }}' },
    };
    const own = { own: '={{ $json.n * 10 }}' };
    expect(await readOf(source, { B: b, C: { host: '={{ $json.host }}' }, Self: own }, own)).toEqual(values);
  });

  test('fails if it refers to itself, and where it is read', async () => {
    const loop = { B: { x: '={{ $node["C"].parameter.y }}' }, C: { y: '={{ $node["B"].parameter.x }}' } };
    await expect(readOf('$node["B"].parameter.x', loop)).rejects.toThrow(/the parameter "[xy]" refers to itself/);
    const failing = { B: { x: '={{ $("Nope").item.json.a }}' } };
    await expect(readOf('$node["B"].parameter.x', failing)).rejects.toThrow('there is no node "Nope"');
    await expect(readOf('$node["Nope"].parameter.x', {})).rejects.toThrow('there is no node "Nope"');
  });
});

describe('an expression that fails', () => {
  test.each([
    ['in the host', '={{ $("Nope").item.json.a }}', 'there is no node "Nope"'],
    ['in the guest', guestOnly('$("Nope").item.json.a'), 'there is no node "Nope"'],
    ['as it is rejected', '={{ $json.__proto__ }}', '__proto__'],
  ])('%s fails where it is read', async (_, x, message) => {
    for (const p of ['={{ $parameter.x }}', guestOnly('$parameter.x')])
      await expect(valuesOf({ x, p })).rejects.toThrow(message);
  });

  test.each([
    ['itself', { p: '={{ $parameter.p }}' }, 'p'],
    ['itself, in the guest', { p: guestOnly('$parameter.p') }, 'p'],
    ['another parameter that refers to it', { p: '={{ $parameter.x }}', x: '={{ $parameter.p + 1 }}' }, '[px]'],
  ])('because it refers to %s reports that', async (_, parameters, name) => {
    await expect(valuesOf(parameters)).rejects.toThrow(new RegExp(`the parameter "${name}" refers to itself`));
  });

  test('because too many refer to each other in a row reports that', async () => {
    const chain = Array.from({ length: 2_000 }, (_, i) => [`x${i}`, `={{ $parameter.x${i + 1} }}`]);
    const parameters = { ...Object.fromEntries(chain), x2000: '={{ $json.n }}', p: '={{ $parameter.x0 }}' };
    await expect(valuesOf(parameters)).rejects.toThrow('more than 16 parameters refer');
  });

  test('is not part of a chain in which each parameter refers to the next one twice', async () => {
    const chain = Array.from({ length: 15 }, (_, i) => [`x${i}`, `={{ $parameter.x${i + 1} + $parameter.x${i + 1} }}`]);
    const parameters = { ...Object.fromEntries(chain), x15: '={{ $json.n }}', p: '={{ $parameter.x0 }}' };
    expect(await valuesOf(parameters)).toEqual([2 ** 15, 2 ** 16]);
  });
});

describe('parameters are unresolved', () => {
  const x = '={{ $json.n }}';

  test('as a whole and as JSON', async () => {
    const whole = { x, p: '={{ $parameter }}' };
    expect(await valuesOf(whole)).toEqual([whole, whole]);
    const text = { x, p: guestOnly('JSON.stringify($parameter)') };
    expect(await valuesOf(text)).toEqual([JSON.stringify(text), JSON.stringify(text)]);
  });

  test('below a parameter that is not an expression, and in $rawParameter', async () => {
    expect(await valuesOf({ options: { x }, p: '={{ $parameter.options.x }}' })).toEqual([x, x]);
    expect(await valuesOf({ x, p: '={{ $rawParameter.x }}' })).toEqual([x, x]);
  });

  test('if their values are already resolved, because data is never evaluated', async () => {
    for (const p of ['={{ $parameter.x }}', guestOnly('$parameter.x')]) {
      const parameters = { x, p };
      expect(await valuesOf(parameters, scopeOf(parameters, { compiledParameters: undefined }))).toEqual([x, x]);
    }
  });
});
