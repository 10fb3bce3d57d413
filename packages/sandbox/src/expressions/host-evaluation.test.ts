import { describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@sluice/domain';
import fc from 'fast-check';
import { item, scope, textOf, useSandbox } from '../../tests/host-fixture.ts';
import { itemsOf, makeScope, never } from '../../tests/scope-fixture.ts';

const { sandbox, inHost, inGuest, hasMoved, expectBoth } = useSandbox();

describe('operators on values of items', () => {
  test.each([
    ['$json.n * 2', 42],
    ['{ twice: $json.n * 2 }', { twice: 42 }],
    ['{ "a b": $json.text, list: [1, $json.yes,], none: $json.missing, }', { 'a b': 'ab', list: [1, true] }],
    ['{ a: 1, b: 2, a: $json.missing }', { b: 2 }],
    ['[$json.missing]', [null]],
    ['$json.text + "-" + $json.n', 'ab-21'],
    ['$json.digits * 2 - -1', 25],
    ['-$json.minus', 3],
    ['+$json.digits', 12],
    ['!$json.missing', true],
    ['$json.n > 20 ? "many" : "few"', 'many'],
    ['$json.missing || "default"', 'default'],
    ['$json.nothing ?? $json.deep.text', 'cd'],
    ['$json.empty && 1', ''],
    ['$json.n % 4 === 1 && $json.no !== true', true],
    ['$json.digits == 12', true],
    ['$json.list || 1', [1, 'x']],
    ['($json.n + 1) * ($json.half)', 11],
    ['1 + 2 * 3 - 4 / 2', 5],
    ['$("A").item.json.v + $vars.rate * 2', 7],
    ['$json.deep?.n + $json["deep"]["n"]', 14],
    ['$json.text.length > 1', true],
    ['$json.missing && $json.missing.deeper', undefined],
    ['$itemIndex + 1', 1],
    ['{ all: $json.deep, $itemIndex }', { all: { n: 7, text: 'cd' }, $itemIndex: 0 }],
    ['$json[$json.key]', 21],
    ['$json.list[$json.list.length - 1]', 'x'],
    ['$json.text[$json.zero]', 'a'],
    ['$json.deep[$json.text + "x"]', undefined],
    ['$("A").all()[$itemIndex + 1].json.v', 5],
    ['$items("A")[1].json.v + $items("A").length + $items().length', 8],
    ['$("A").all().slice(1)', [{ json: { v: 5 } }]],
  ])('%s is %j, in the host and in the guest', expectBoth);

  test('are evaluated for each item, or for the requested item', () => {
    const two = makeScope({ items: itemsOf({ n: 1 }, { n: 2 }) });
    const both = inHost('={{ $json.n + 1 }}', two);
    expect([both?.get('p', 0), both?.get('p', 1)]).toEqual([2, 3]);
    expect(inHost('={{ $json.n + 1 }}', { ...two, onlyItem: 1 })?.get('p', 1)).toBe(3);
  });

  test('within text are printed', () => {
    expect(inHost('={{ $json.n + 1 }} of {{ [$json.text, null, 1 > 0] }}{{ $json.missing || null }}', scope)?.get('p', 0)).toBe(
      '22 of ab,,true',
    );
  });

  test('neither objects nor their fields are called', () => {
    const items = itemsOf({ valueOf: 1, toString: 'x', toJSON: { y: 1 } });
    expect(inHost('={{ $json.valueOf + $json.toString }}', makeScope({ items }))?.get('p', 0)).toBe('1x');
    expect(inHost('={{ $json + 1 }}', makeScope({ items }))).toBeUndefined();
  });
});

test.each([
  ['a method of the language', '$json.text.toTitleCase()'],
  ['an unknown method', '$json.text.localeCompare("a")'],
  ['a method of a missing value', '$json.missing.trim()'],
  ['JSON of what is not there', '$json.missing.toJsonString()'],
  ['a method after a skipped optional chain', '$json.missing?.isEmpty()'],
  ['a method of a missing value in an optional chain', '$json.deep?.missing.isEmpty()'],
  ['a method of a result in an optional chain', '$json.text.match(/x/)?.[0].isEmpty()'],
  ['an element that is undefined', '[$json.missing][0] === undefined'],
  ['a list with undefined that is searched', '($json.text && [$json.missing]).includes(null)'],
  ['a key whose value is undefined', 'Object.keys({ a: $json.missing })'],
  ['JSON of an item, which may have pairs', 'JSON.stringify($input.item)'],
  ['an item of a list', '$input.all()[0] || 1'],
  ['large numbers in other radixes', 'parseInt("896805868350736219845270", 36)'],
  ['an indent with a null character', 'JSON.stringify([1], null, "-\\u0000")'],
  ['JSON with a number that JSON does not have', 'JSON.parse("[1e999]").length'],
  ['JSON with the zero below', 'JSON.parse("[-0]")[0]'],
  ['text that is not JSON', '$json.text.parseJson()'],
  ['text that is not a number', '$json.text.toNumber()'],
  ['a number without decimals', '(1e21).toFixed(2)'],
  ['a default without a value', '$ifEmpty($json.n)'],
  ['an argument of a tool outside of tools', '$fromAI("x") + 1'],
  ['an empty string that is repeated too often', '"".repeat(1e10)'],
  ['whether an object is empty', '$json.deep.isEmpty()'],
  ['a method of an object', '$json.deep.toString()'],
  ['a method that changes data', '$json.list.pop()'],
  ['an argument that is an object', '$json.text.concat($json.deep)'],
  ['a method that fails', '$json.text.repeat(-1)'],
  ['a computed method', '$json.text["trim"]()'],
  ['a function with another name', 'Math.random() + 1'],
  ['spread arguments', 'Math.max(...$json.list)'],
  ['a call if there is a method', '$json.text.trim?.()'],
  ['a field of a missing value', '$json.missing.deeper || 1'],
  ['a member of lists', '$json.list.isEmpty || 1'],
  ['an inherited object member', '$json.hasOwnProperty ? 1 : 2'],
  ['a field of a root that is not an item', '$execution.none ? 1 : 2'],
  ['custom data', '$execution.customData'],
  ['an object as an operand', '$json.list + 1'],
  ['a number that JSON does not have', '$json.n / $json.zero'],
  ['the zero below', '$json.zero * -1'],
  ['not a number', '$json.text * 2'],
  ['a node that has not run', '$("None").item.json.v || 1'],
  ['?? alongside ||', '$json.a ?? $json.b || 1'],
  ['a power', '$json.n ** 2'],
  ['an assignment', '$json.n += 2'],
  ['a count', '1 +--$json.n'],
  ['a shift', '$json.n << 2'],
  ['a list with gaps', '[1,,2]'],
  ['the prototype of an object', '{ __proto__: $json.text }'],
  ['a key that is computed', '{ ["a"]: 1 }'],
  ['a computed member that is not a field', '$json.list["m" + "ap"]'],
  ['a computed member of internals', '$json["constr" + "uctor"]'],
  ['a computed member of a list', '$json.list["1" + "x"]'],
  ['a computed member of another root', '$execution["i" + "d"]'],
  ['a computed member of a missing value', '$json.missing["a" + "b"]'],
  ['a computed key that is an object', '$json[$json.deep]'],
  ['items of a node with a computed name', '$items("A" + "")'],
  ['items of an output', '$items("A", 1)'],
  ['a name from the language', 'Infinity + 1'],
  ['more than 64 operands', Array.from({ length: 65 }, () => '1').join('+')],
])('%s is left to the guest', (_, source) => {
  expect(inHost(`={{ ${source} }}`, scope)).toBeUndefined();
});

test('if one expression of a node needs the guest, the guest evaluates all of them', () => {
  const compiled = sandbox.compile({ a: '={{ $json.n + 1 }}', b: '={{ $json.text.toTitleCase() }}' });
  expect(sandbox.resolve(compiled, scope, never)).toBeInstanceOf(Promise);
});

describe('all host evaluation of a node run shares one budget', () => {
  const long = makeScope({ items: itemsOf({ s: 'x'.repeat(5_000_000), n: 1 }) });
  test('strings that expressions read and create count, over all parameters', () => {
    expect(hasMoved({ a: '={{ $json.s }}!' }, long)).toBe(false);
    expect(hasMoved({ a: '={{ $json.s }}!', b: '={{ $json.s + 1 }}' }, long)).toBe(false);
    expect(hasMoved({ a: '={{ $json.s }}!', b: '={{ $json.s + 1 }}', c: '={{ $json.s }}?' }, long)).toBe(true);
    expect(hasMoved({ a: `=${'{{ $json.s || 0 }}'.repeat(4)}` }, long)).toBe(true);
    expect(hasMoved({ a: '={{ +$json.s || $json.s == 1 || $json.s === "x" || $json.s < 2 }}' }, long)).toBe(true);
  });

  test('one hundred copies of five megabytes fail with a hint and are never created', async () => {
    const compiled = sandbox.compile({ p: `=${'{{$json.s}}'.repeat(100)}`, n: '={{ $json.n }}' });
    const resolved = await sandbox.resolve(compiled, long, never);
    expect(() => resolved.get('p', 0)).toThrow(expect.objectContaining({ code: 'EXPRESSION_ERROR' }));
    expect(() => resolved.get('p', 0)).toThrow(/characters|memory|ms/);
    expect(resolved.get('n', 0)).toBe(1);
  });

  test('the elements of printed lists count', () => {
    const list = Array.from({ length: 1_100_000 }, () => 1);
    expect(hasMoved({ a: '=list: {{ $json.list }}' }, makeScope({ items: itemsOf({ list }) }))).toBe(true);
    expect(hasMoved({ a: '=list: {{ $json.list }}' }, makeScope({ items: itemsOf({ list: [1, [2]] }) }))).toBe(false);
  });

  test('references cost nothing, whatever the size of their values', () => {
    const parameters = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`p${i}`, '={{ $json.s }}']));
    expect(hasMoved(parameters, long)).toBe(false);
  });

  test('lists nested too deeply to print are left to the guest', () => {
    let list: JsonValue = [];
    for (let depth = 0; depth < 100; depth += 1) list = [list];
    expect(hasMoved({ a: '=list: {{ $json.list }}' }, makeScope({ items: itemsOf({ list }) }))).toBe(true);
  });
});

test('paths within text are evaluated in the host even if other parameters need the guest', async () => {
  const compiled = sandbox.compile({
    a: '={{ $json.n }}: {{ $("None").item }}',
    b: '={{ $json.text.toTitleCase() }}',
    c: '={{ $json.n + 1 }}',
  });
  const resolved = await sandbox.resolve(compiled, scope, never);
  expect([resolved.get('b', 0), resolved.get('c', 0)]).toEqual(['Ab', 22]);
  expect(() => resolved.get('a', 0)).toThrow('there is no node "None"');
});

test.each([
  ['$json.valueOf', 'this is a function'],
  ['$json.deep.hasOwnProperty', 'this is a function'],
  ['$json.text.trim', 'this is a function'],
  ['$json.list.map', 'this is a function'],
  ['$json.n.toFixed', 'this is a function'],
  ['$json.yes.valueOf', 'this is a function'],
])('a method that is not called is an error in the host and in the guest: %s', async (source, message) => {
  expect(() => inHost(`={{ ${source} }}`, scope)?.get('p', 0)).toThrow(message);
  const guest = await inGuest(`={{ ${source} }}`, scope);
  expect(() => guest.get('p', 0)).toThrow(message);
});

test.each<[string, JsonValue | undefined]>([
  ['$input.item', { json: item }],
  ['$input.all()', [{ json: item }]],
  ['$("A").all()[1]', { json: { v: 5 } }],
  ['$items("A")', [{ json: { v: 4 } }, { json: { v: 5 } }]],
  ['$items()[0]', { json: item }],
  ['$items()[1]', undefined],
  ['$execution.customData', {}],
  ['$json[""]', undefined],
  ['$json.text[""]', undefined],
  ['$json.text["01"]', undefined],
  ['$json.text[1]', 'b'],
  ['$json.missing.valueOf', undefined],
  ['$json.missing?.a.b', undefined],
])('is the same in the host and in the guest: %s', async (source, value) => {
  const resolved = await sandbox.resolve(sandbox.compile({ p: `={{ ${source} }}` }), scope, never);
  expect(resolved.get('p', 0)).toEqual(value);
  expect((await inGuest(`={{ ${source} }}`, scope)).get('p', 0)).toEqual(value);
});

/** Sources of random expressions, all of which the host can read. */
const textCalls =
  'at charAt concat endsWith includes indexOf lastIndexOf padEnd padStart replace replaceAll slice split startsWith'
    .concat(' substring toLowerCase toString toUpperCase trim trimEnd trimStart')
    .split(' ');
const plainCalls = 'first last isEmpty isNotEmpty toJsonString toString parseJson toNumber base64Encode base64Decode'.split(
  ' ',
);
const listCalls = ['at', 'includes', 'indexOf', 'join', 'slice'];
const dateUnit = fc.constantFrom('years', 'quarter', 'months', 'weeks', 'days', 'hours', 'minutes', 'second', 'milliseconds');
const { expression } = fc.letrec<{ expression: string; joined: string; leaf: string; text: string; date: string }>((tie) => ({
  text: fc.oneof(
    fc.constantFrom('$json.spaced', '$json.text', '"a$&b"', `\`\${$json.n}\``),
    tie('text').map((text) => `${text}.trim()`),
  ),
  leaf: fc.oneof(
    fc.constantFrom(...Object.keys(item), 'missing').map((field) => `$json.${field}`),
    fc.constantFrom(
      '$json.deep.n',
      '$json.deep?.text',
      '$json.list[1]',
      '$json.missing.deeper',
      '$json.text[0]',
      '"\\u0041\\n"',
      '1e3',
      `\`<\${$json.text}>\``,
      '$itemIndex',
      '$vars.rate',
      '$json[$json.key]',
      '$items("A")[1].json.v',
      '1',
      '2.5',
      '"t"',
      "'0'",
      '``',
    ),
    fc.constantFrom('true', 'null', 'undefined', '-1', '$("A").first().json.v'),
  ),
  joined: fc.oneof(
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('+', '-', '*', '/', '%', '<', '<=', '>', '>=', '==', '!=', '===', '!==', '&&', '||'),
        tie('expression'),
      )
      .map(([left, operator, right]) => `${left} ${operator} ${right}`),
    fc.tuple(tie('expression'), tie('expression')).map(([left, right]) => `(${left}) ?? (${right})`),
    fc.tuple(tie('expression'), tie('expression'), tie('expression')).map(([a, b, c]) => `${a} ? ${b} : ${c}`),
    fc.tuple(fc.constantFrom('!', '- ', '+ '), tie('leaf')).map(([operator, operand]) => operator + operand),
    tie('expression').map((inner) => `(${inner})`),
    fc
      .tuple(
        fc.constantFrom('String', 'Number', 'Boolean', 'Math.round', 'Math.min', 'parseInt', 'parseFloat', 'JSON.stringify'),
        tie('expression'),
      )
      .map(([called, value]) => `${called}(${value})`),
    fc.tuple(tie('text'), fc.constantFrom(...textCalls), tie('leaf'), tie('leaf')).map(([text, name, first, second]) => {
      return `(${text}).${name}(${[first, second].slice(0, name === 'trim' || name.startsWith('to') ? 0 : 2).join(', ')})`;
    }),
    fc.tuple(tie('leaf'), fc.constantFrom(...plainCalls)).map(([leaf, name]) => `(${leaf}).${name}()`),
    fc.tuple(tie('leaf'), fc.integer({ min: -1, max: 21 })).map(([leaf, digits]) => `(${leaf}).toFixed(${digits})`),
    fc.tuple(tie('joined'), tie('leaf')).map(([holder, key]) => `(${holder})[${key}]`),
    fc
      .tuple(fc.constantFrom('$if', '$ifEmpty', 'Array.isArray', 'JSON.parse'), tie('expression'), tie('expression'))
      .map(([called, ...values]) => `${called}(${values.join(', ')})`),
    fc.tuple(fc.constantFrom(...listCalls), tie('leaf')).map(([name, value]) => `$json.tags.${name}(${value})`),
    fc
      .tuple(
        tie('date'),
        fc.constantFrom('', '.toISO()', '.toFormat("yyyy-LLL-dd EEE HH:mm:ss.SSS ZZ")', '.toMillis()', '.weekday', '.ordinal'),
      )
      .map((parts) => parts.join('')),
    fc.array(tie('expression'), { maxLength: 3 }).map((elements) => `[${elements.join(', ')}]`),
    fc
      .array(tie('expression'), { maxLength: 3 })
      .map((values) => `({ ${values.map((value, i) => `k${i}: ${value}`).join(', ')} })`),
  ),
  date: fc.oneof(
    fc.constantFrom(
      '$now',
      '$today',
      'DateTime.fromISO("2024-02-29")',
      'DateTime.fromMillis(1e12)',
      '"2026-10-25T00:30:00Z".toDateTime()',
    ),
    fc
      .tuple(tie('date'), fc.constantFrom('plus', 'minus'), fc.integer({ min: -5_000, max: 5_000 }), dateUnit)
      .map(([date, name, amount, unit]) => `${date}.${name}({ ${unit}: ${amount} })`),
    fc
      .tuple(tie('date'), fc.constantFrom('startOf', 'endOf'), dateUnit)
      .map(([date, name, unit]) => `${date}.${name}('${unit}')`),
    fc
      .tuple(tie('date'), fc.constantFrom('Asia/Kathmandu', 'America/St_Johns', 'Pacific/Apia', 'Europe/Dublin', 'UTC'))
      .map(([date, zone]) => `${date}.setZone('${zone}')`),
  ),
  expression: fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('joined')),
}));

test('the host and the guest evaluate random expressions equally', async () => {
  const sources = fc.sample(expression, { numRuns: 3_000, seed: 20_261_122 });
  const ofHost = sources.flatMap((source) => {
    const host = inHost(`={{ ${source} }}`, scope);
    return host ? [{ source, host: textOf(host.get('p', 0)) }] : [];
  });
  expect(ofHost.length).toBeGreaterThan(500);
  const compiled = sandbox.compile({ p: ofHost.map(({ source }) => `={{ (0, ${source}) }}`) });
  const guest = await sandbox.resolve(compiled, scope, never);
  const ofGuest = ofHost.map(({ source }, at) => ({
    source,
    host: textOf(guest.get(`p.${at}`, 0)),
  }));
  expect(ofHost).toEqual(ofGuest);
});
