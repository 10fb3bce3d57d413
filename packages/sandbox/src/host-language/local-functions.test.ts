import { describe, expect, test } from '@jest/globals';
import { leastWithin, longestBusy } from '@sluice/test-support';
import fc from 'fast-check';
import { scope, textOf, useSandbox } from '../../tests/host-fixture.ts';
import { itemsOf, makeScope, never } from '../../tests/scope-fixture.ts';

const { sandbox, inHost, hasMoved, expectBoth } = useSandbox();

describe('functions of an expression', () => {
  test.each([
    ['$json.people.map(person => person.name).join(", ")', 'Ada, Tim'],
    [`$json.people.map((p, at) => \`\${at + 1}. \${p.name}\`)`, ['1. Ada', '2. Tim']],
    [
      '$json.people.map(function (p) { return { name: p.name, tags: p.tags, n: $json.n } })[0]',
      { name: 'Ada', tags: ['a'], n: 21 },
    ],
    ['$json.people.filter((p) => p.age > 40).length', 1],
    ['$json.people.filter(p => p.tags.some(tag => tag === p.name[0].toLowerCase())).map(p => p.age)', [36]],
    ['$json.people.find(p => p.age > 40).name', 'Tim'],
    ['$json.people.find(p => p.age > 99)?.name', undefined],
    ['$json.people.findIndex(p => p.name === "Tim") + $json.people.findIndex(p => p.none)', 0],
    ['$json.people.every(p => p.age) && !$json.people.every(p => p.age > 40)', true],
    ['$json.tags.filter(Boolean)', ['x', 2.5, true]],
    ['$json.tags.map(String).pop() + $json.digits.split("").map(Number).shift()', 'true1'],
    [
      '$json.people.map(p => p.tags.map(tag => tag + p.age + $json.people.map(q => q.age).join("")).join())',
      ['a363641', 'c413641,d413641'],
    ],
    ['$input.all().map(item => item.json.n)', [21]],
    ['$("A").all().filter((item, at) => at > 0)', [{ json: { v: 5 } }]],
    [`$json.list.map(x => { if (x > 0) return "number"; else { return \`text \${x}\` } })`, ['number', 'text x']],
    ['(() => 1 + 1)()', 2],
    ['(function () { const a = $json.n, b = a * 2; if (b > 50) { return "much" } return { b } })()', { b: 42 }],
    ['((a, b) => a + b)($json.text, $json.n)', 'ab21'],
    ['(() => { const at = $now; return at.year })()', 2026],
    ['(() => {})() ?? "nothing"', 'nothing'],
  ])('%s is %j, in the host and in the guest', expectBoth);

  test.each([
    ['that assign', '$json.list.map(x => x = 1)'],
    ['with variables that change', '(() => { let a = 1; a += 1; return a })()'],
    ['with loops', '(() => { for (const x of $json.list) return x })()'],
    ['with the older kind of variables', '(() => { var a = 1; return a })()'],
    ['whose names hide others', '$json.list.map(x => $json.list.map(x => x))'],
    ['whose constants hide others', '$json.list.map(x => { if (x) { const x = 2; return x } return x })'],
    ['that hide names of the language', '$json.list.map($json => $json)'],
    ['that hide functions', '((parseInt) => parseInt)(1)'],
    ['that hide undefined', '((undefined) => undefined)(1)'],
    ['with three parameters', '$json.list.map((x, at, all) => all.length)'],
    ['with patterns', '$json.people.map(({ name }) => name)'],
    ['with defaults', '$json.list.map((x = 1) => x)'],
    ['that wait', '$json.list.map(async (x) => x)'],
    ['that use this', '$json.list.map(function () { return this })'],
    ['with another receiver', '$json.list.map(x => x, {})'],
    ['that are called with too few values', '((x) => 1)()'],
    ['that are called with too many values', '((x) => 1)(1, 2)'],
    ['that return nothing in a list', '$json.list.map(x => {})'],
    ['that return no JSON', '$json.list.map(x => $now)'],
    ['that return numbers without a JSON form', '$json.list.map(x => 1 / 0)'],
    ['of values that are not lists', '$json.text.map(x => x)'],
    ['of a missing value', '$json.missing?.map(x => x)'],
    ['that are not called', '() => 1'],
    ['that are called by other methods', '$json.list.sort((a, b) => 1)'],
    ['that read what is missing', '$json.list.map(x => x.a.b)'],
  ])('%s are left to the guest', (_, source) => {
    expect(inHost(`={{ ${source} }}`, scope)).toBeUndefined();
  });

  test('have their own variables in each parameter', () => {
    const parameters = {
      other: '={{ $json.list.map((y, at) => y + at).join() }}',
      p: '={{ $json.list.map((x, at) => x + $parameter.other + x + at) }}',
    };
    const over = makeScope({
      items: itemsOf({ list: ['a', 'b'] }),
      node: { name: 'Self', parameters },
      compiledParameters: sandbox.compile(parameters),
    });
    const resolved = sandbox.resolve(sandbox.compile(parameters), over, never) as { get(path: string, index: number): unknown };
    expect(resolved.get('p', 0)).toEqual(['aa0,b1a0', 'ba0,b1b1']);
  });

  const large = makeScope({
    items: itemsOf({
      thousand: Array.from({ length: 1_000 }, (_, n) => n),
      long: 'x'.repeat(100_000),
      many: Array.from({ length: 10_001 }, () => 1),
    }),
  });
  test.each([
    ['that repeat lists', '$json.thousand.map(x => $json.thousand).length'],
    ['that repeat text', '$json.thousand.map(x => $json.long).length'],
    ['that repeat text in objects', '$json.thousand.map(x => ({ a: $json.long })).length'],
    ['that are called too often', '$json.many.some(x => x > 1)'],
    ['that nest too many calls', '$json.thousand.map(x => $json.thousand.map(y => $json.thousand.some(z => z < 0)))'],
  ])('%s are left to the guest in less than 100 ms', async (_, source) => {
    const parameters = { p: `={{ ${source} }}` };
    expect(hasMoved(parameters, large)).toBe(true);
    expect(await leastWithin(100, () => longestBusy(() => hasMoved(parameters, large)))).toBeLessThan(100);
  });
});

/** Random functions over a list of records; `depth` variables are visible. */
const variables = ['p', 'q', 'r'];
const value = (depth: number): fc.Arbitrary<string> => {
  const variable = fc.constantFrom('$json', ...variables.slice(0, depth));
  const leaf = fc.oneof(
    fc
      .tuple(variable, fc.constantFrom('.name', '.age', '.tags', '.tags[0]', '?.none', '.name[1]', ''))
      .map((parts) => parts.join('')),
    fc.constantFrom('"a"', '1', `\`<\${$json.n}>\``, 'null', ...(depth > 0 ? ['i'] : [])),
  );
  if (depth === variables.length) return leaf;
  const inner = value(depth + 1);
  const name = variables[depth] as string;
  const receiver = fc.oneof(
    fc.constant('$json.people'),
    variable.map((holder) => `${holder}.tags`),
  );
  const body = fc.oneof(
    inner,
    fc.tuple(inner, inner).map(([a, b]) => `({ a: ${a}, b: ${b} })`),
    fc.tuple(inner, fc.constantFrom('+', '<', '===', '&&', '||'), inner).map((parts) => parts.join(' ')),
    fc.tuple(inner, inner).map(([a, b]) => `{ const k = ${a}; if (k) return k; return ${b} }`),
  );
  const callbacks = fc
    .tuple(receiver, fc.constantFrom('map', 'filter', 'find', 'findIndex', 'some', 'every'), body)
    .map(([list, method, text]) => `${list}.${method}(${depth === 0 ? `(${name}, i)` : name} => ${text})`);
  const calls = fc.tuple(leaf, body).map(([argument, text]) => `((${name}) => ${text})(${argument})`);
  return fc.oneof(leaf, callbacks, callbacks, calls);
};

test('the host and the guest evaluate random functions equally', async () => {
  const sources = fc.sample(value(0), { numRuns: 2_000, seed: 20_261_130 });
  const ofHost = sources.flatMap((source) => {
    const host = inHost(`={{ ${source} }}`, scope);
    return host ? [{ source, value: textOf(host.get('p', 0)) }] : [];
  });
  expect(ofHost.filter(({ source }) => source.includes('=>')).length).toBeGreaterThan(300);
  const compiled = sandbox.compile({ p: ofHost.map(({ source }) => `={{ (0, ${source}) }}`) });
  const guest = await sandbox.resolve(compiled, scope, never);
  expect(ofHost).toEqual(ofHost.map(({ source }, at) => ({ source, value: textOf(guest.get(`p.${at}`, 0)) })));
});
