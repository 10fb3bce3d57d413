import { afterAll, describe, expect, jest, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/domain';
import { leastWithin, longestBusy } from '@sluice/test-support';
import fc from 'fast-check';
import { itemsOf, makeScope, never } from '../tests/scope-fixture.ts';
import { createSandbox, type EvaluationScope, type ResolvedParameters } from './index.ts';

const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 64, threads: 1 });
afterAll(() => sandbox.close());

/** Host evaluation is synchronous; guest evaluation is awaited. */
function inHost(text: string, scope: EvaluationScope): ResolvedParameters | undefined {
  const resolved = sandbox.resolve(sandbox.compile({ p: text }), scope, never);
  if (!(resolved instanceof Promise)) return resolved;
  resolved.catch(() => undefined);
  return undefined;
}

/** The host has no comma operator. */
function inGuest(text: string, scope: EvaluationScope): Promise<ResolvedParameters> {
  const resolved = sandbox.resolve(sandbox.compile({ p: text.replace('{{', '{{ (0,').replace('}}', ')}}') }), scope, never);
  if (!(resolved instanceof Promise)) throw new Error(`the host has evaluated ${text}`);
  return resolved;
}

/** Whether the host has not evaluated all of it at once. */
function hasMoved(parameters: JsonObject, over: EvaluationScope): boolean {
  const resolved = sandbox.resolve(sandbox.compile(parameters), over, AbortSignal.abort());
  if (!(resolved instanceof Promise)) return false;
  resolved.catch(() => undefined);
  return true;
}

/** As JSON, so that the order of fields counts. */
const textOf = (value: JsonValue | undefined) => JSON.stringify(value) ?? 'undefined';

const item: JsonObject = {
  n: 21,
  half: 0.5,
  minus: -3,
  zero: 0,
  text: 'ab',
  digits: '12',
  empty: '',
  yes: true,
  no: false,
  nothing: null,
  list: [1, 'x'],
  deep: { n: 7, text: 'cd' },
  spaced: ' Ä-b,c ',
  tags: ['x', null, 2.5, true],
  'a b': { 2: 'two', 1: 'one\u2028\ud800' },
};
const scope = makeScope({
  items: itemsOf(item),
  runs: { A: [{ outputs: [itemsOf({ v: 4 }, { v: 5 })] }] },
  vars: { rate: '1.5' },
});

/** Expects the value of an expression in the host, and the same text of it in the guest. */
async function expectBoth(source: string, value: unknown): Promise<void> {
  const text = `={{ ${source} }}`;
  const host = inHost(text, scope);
  expect(host?.get('p', 0)).toEqual(value);
  const guest = await inGuest(text, scope);
  expect(textOf(guest.get('p', 0))).toBe(textOf(host?.get('p', 0)));
}

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
  ])('%s is %j, in the host and in the guest', expectBoth);

  test('are evaluated for each item, or for the one that is asked for', () => {
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

  test('neither objects nor fields of theirs are called', () => {
    const items = itemsOf({ valueOf: 1, toString: 'x', toJSON: { y: 1 } });
    expect(inHost('={{ $json.valueOf + $json.toString }}', makeScope({ items }))?.get('p', 0)).toBe('1x');
    expect(inHost('={{ $json + 1 }}', makeScope({ items }))).toBeUndefined();
  });
});

describe('calls of functions that cannot call code', () => {
  test.each([
    ['$json.spaced.trim()', 'Ä-b,c'],
    ['$json.spaced.trim().toLowerCase().replace("-", "+")', 'ä+b,c'],
    ['$json.spaced.replaceAll(" ", "")', 'Ä-b,c'],
    ['$json.spaced.split(",")', [' Ä-b', 'c ']],
    ['$json.spaced.split(",")[1]', 'c '],
    ['$json.spaced.split("-").length > 1 ? "yes" : "no"', 'yes'],
    ['$json.spaced.split(",").pop().trim()', 'c'],
    ['$json.text.slice(-1) + $json.digits.padStart(4, "0")', 'b0012'],
    ['$json.text?.toUpperCase()', 'AB'],
    ['$json.tags.join(" / ")', 'x /  / 2.5 / true'],
    ['$json.list.includes("x") && $json.list.indexOf("y")', -1],
    ['$json.tags.slice(1, 3)', [null, 2.5]],
    ['$json.half.toString() + $json.yes.toString()', '0.5true'],
    ['String($json.n) + Number($json.digits) + Boolean($json.empty)', '2112false'],
    ['Math.round($json.half + 1) + Math.max($json.n, 3, $json.minus)', 23],
    ['parseInt($json.digits, 10) + parseFloat("1.5kg")', 13.5],
    ['encodeURIComponent($json.spaced)', '%20%C3%84-b%2Cc%20'],
    ['Object.keys($json.deep).join("+")', 'n+text'],
    ['JSON.stringify({ name: $json.text, n: $json.n })', '{"name":"ab","n":21}'],
    ['$json.deep.toJsonString() + $json.n.toJsonString()', '{"n":7,"text":"cd"}21'],
    ['$json.list.first() + $json.list.last()', '1x'],
    ['$json.missing.isEmpty() && $json.nothing.isEmpty() && $json.empty.isEmpty() && $json.list.isNotEmpty()', true],
    ['JSON.stringify($json.deep, null, 2)', '{\n  "n": 7,\n  "text": "cd"\n}'],
    ['JSON.stringify($json.list, null, $json.half)', '[1,"x"]'],
    ['[$json.text, $json.missing]', ['ab', null]],
    [`\`\${$json.text.toUpperCase()}: \${$json.n}\``, 'AB: 21'],
  ])('%s is %j, in the host and in the guest', expectBoth);

  test('leave the data that they read unchanged', async () => {
    const over = makeScope({ items: itemsOf({ list: ['a', 'b'] }) });
    const compiled = sandbox.compile({ a: '={{ $json.list.slice().pop() }}', b: '={{ $json.list.join() }}' });
    const resolved = sandbox.resolve(compiled, over, never) as ResolvedParameters;
    expect([resolved.get('a', 0), resolved.get('b', 0)]).toEqual(['b', 'a,b']);
  });

  test.each(['$json', '$json["a b"]', '$json.spaced', '$input.item.json', '$workflow', '[$json.text, 1]'])(
    'JSON of %s is the same in the host and in the guest',
    async (source) => {
      const text = `={{ JSON.stringify(${source}) }}`;
      expect(inHost(text, scope)?.get('p', 0)).toBe((await inGuest(text, scope)).get('p', 0));
    },
  );

  const sized = makeScope({
    items: itemsOf({
      long: 'ab'.repeat(40_000),
      pattern: 'b'.repeat(2_000),
      list: Array.from({ length: 20_000 }, () => 1),
      list600: Array.from({ length: 600 }, () => 1),
    }),
  });
  test.each([
    ['of text that would grow', '"x".repeat(1e9)'],
    ['of text that would grow in steps', '"x".repeat(100000).repeat(100000)'],
    ['that pad without end', '"x".padStart(1e9)'],
    ['that replace by more than the text holds', '$json.long.replaceAll("a", $json.pattern)'],
    ['that insert the text itself', '"aa".replaceAll("a", "$`$`$`$`")'],
    ['that search for long in longer text', '$json.long.indexOf($json.pattern)'],
    ['that search in text that is too long', '($json.long + $json.long).includes("c")'],
    ['that join long lists', '$json.list.join()'],
    ['that write large values', 'JSON.stringify($json.list)'],
    ['that write values with indents', 'JSON.stringify($json.list600, null, 2)'],
    ['that compare long texts with many', '$json.list600.includes($json.pattern)'],
  ])('%s are left to the guest', (_, source) => {
    expect(inHost(`={{ ${source} }}`, sized)).toBeUndefined();
  });

  test.each([
    ['$json.text.includes($json.pattern)', { text: 'ab'.repeat(1_000), pattern: `b${'ab'.repeat(240)}` }],
    ['$json.text.split("")', { text: 'ab'.repeat(500) }],
    ['$json.text.replaceAll("a", "")', { text: 'a'.repeat(130_000) }],
    ['$json.text.toLowerCase()', { text: `\u03a3${'\u0301'.repeat(100)}`.repeat(1_200) }],
    ['JSON.stringify($json.many)', { many: Array.from({ length: 1_900 }, () => ({})) }],
    ['encodeURIComponent($json.text)', { text: '\u3000'.repeat(130_000) }],
  ])('finding 3: as many as an expression may have never hold the event loop: %s', async (call, json) => {
    // No more fit into an expression of the host.
    const source = `[${Array.from({ length: 30 }, () => call).join()}].length`;
    const many = makeScope({ items: itemsOf(...Array.from({ length: 100 }, () => json)) });
    expect(await longestBusy(() => hasMoved({ p: `={{ ${source} }}` }, many))).toBeLessThan(100);
  });

  test('are left to the guest when one expression has called for too long', () => {
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => ++now);
    const calls = (count: number) => ({ p: `={{ [${Array.from({ length: count }, () => '$json.text.trim()').join()}] }}` });
    expect([hasMoved(calls(20), scope), hasMoved(calls(60), scope)]).toEqual([false, true]);
    clock.mockRestore();
  });

  test('spend the text of their arguments', () => {
    const over = makeScope({ items: itemsOf({ digits: '1'.repeat(100_000), text: 'ab' }) });
    for (const call of ['Boolean($json.digits)', '$json.text.startsWith($json.digits)']) {
      const source = `={{ [${Array.from({ length: 40 }, () => call).join()}] }}`;
      expect([hasMoved({ a: source }, over), hasMoved({ a: [source, source, source, source, source] }, over)]).toEqual([
        false,
        true,
      ]);
    }
  });
});

describe('dates', () => {
  test.each([
    ['$now', '2026-03-29T00:30:00.000+01:00'],
    ['$today', '2026-03-29T00:00:00.000+01:00'],
    ['$now.plus({ hours: 2 }).toISO()', '2026-03-29T03:30:00.000+02:00'],
    ['$now.minus(7, "days").toFormat("yyyy-MM-dd")', '2026-03-22'],
    ['$today.startOf("month").toISODate() + " " + $now.endOf("weeks").toISOTime()', '2026-03-01 23:59:59.999+02:00'],
    [
      '$now.setZone("America/New_York").format("EEEE, d LLLL yyyy \'at\' h:mm a ZZ")',
      'Saturday, 28 March 2026 at 7:30 PM -04:00',
    ],
    ['$now.setZone("UTC")', '2026-03-28T23:30:00.000Z'],
    ['$now.toMillis() + $now.year + $now.weekday + $now.weekNumber + $now.ordinal', 1_774_740_600_000 + 2_026 + 7 + 13 + 88],
    ['$now.toSeconds() - $now.toUnixInteger()', 0],
    ['$now ? "yes" : "no"', 'yes'],
    ['DateTime.fromISO("2026-01-31").plus({ months: 1 })', '2026-02-28T00:00:00.000+01:00'],
    ['DateTime.fromISO("2026-10-25T02:30:00Z").toISO()', '2026-10-25T03:30:00.000+01:00'],
    ['DateTime.fromMillis($json.n).toString()', '1970-01-01T01:00:00.021+01:00'],
    ['DateTime.now().year > 2025', true],
    ['" 2026-05-01T10:00:00-03:00 ".toDateTime().hour', 10],
    ['"2026-W07-2".toDateTime().format("dd.MM.yy")', '10.02.26'],
  ])('%s is %j, in the host and in the guest', expectBoth);

  test('within text are written as in JSON', async () => {
    const text = '=At {{ $now }}, {{ $today }}.';
    const host = inHost(text, scope)?.get('p', 0);
    expect(host).toBe('At 2026-03-29T00:30:00.000+01:00, 2026-03-29T00:00:00.000+01:00.');
    expect((await inGuest(text, scope)).get('p', 0)).toBe(host);
  });

  test.each([
    ['that meet operators', '$now + 1'],
    ['that are compared', '$now > $today'],
    ['within lists', '[$now]'],
    ['within objects', '({ at: $now })'],
    ['as arguments', 'JSON.stringify($now)'],
    ['as arguments of dates', '$now.plus($today)'],
    ['as texts', 'String($now)'],
    ['whose method is not known', '$now.diffToNow("days")'],
    ['whose method is none of dates', '$now.trim()'],
    ['whose field is not known', '$now.zoneName'],
    ['whose field is one of texts', '$now.length || 1'],
    ['with fractions of units', '$now.plus({ days: 0.5 })'],
    ['with unknown units', '$now.plus({ fortnights: 1 })'],
    ['far away', '$now.plus({ years: 9000 })'],
    ['beyond all years', '$now.plus({ years: 1e14 })'],
    ['moved by nothing', '$now.plus()'],
    ['in formats with the words of a locale', '$now.toFormat("DDDD")'],
    ['in formats that are long', `$now.toFormat("${'yyyy '.repeat(30)}")`],
    ['in formats that are not closed', '$now.toFormat("\'yyyy")'],
    ['in a locale', '$now.setLocale("de").toFormat("cccc")'],
    ['in unknown zones', '$now.setZone("Nowhere/Else")'],
    ['in zones with unusual names', '$now.setZone("utc+3")'],
    ['that are invalid', 'DateTime.fromISO("2026-02-30").isValid'],
    ['from text that is none', '$json.text.toDateTime()'],
    ['from numbers', '$json.n.toDateTime()'],
    ['from text with options', 'DateTime.fromISO("2026-01-01", { zone: "UTC" })'],
    ['whose field is read of another value', '$json.text.split("").year'],
  ])('%s are left to the guest', (_, source) => {
    expect(inHost(`={{ ${source} }}`, scope)).toBeUndefined();
  });

  test('of many zones and years never hold the event loop', async () => {
    const names = Intl.supportedValuesOf('timeZone').filter((name) => name.includes('/'));
    const rows = Array.from({ length: 500 }, (_, i) => ({ zone: names[i % names.length] as string, ms: i * 1e11 }));
    const many = makeScope({ items: itemsOf(...rows) });
    const parameters = { p: '={{ DateTime.fromMillis($json.ms).setZone($json.zone).plus({ months: 7 }).toISO() }}' };
    expect(
      await leastWithin(100, () => longestBusy(() => sandbox.resolve(sandbox.compile(parameters), many, never))),
    ).toBeLessThan(100);
  });
});

test.each([
  ['a call of a method that takes code', '$json.list.map((n) => n)'],
  ['a call with a regular expression', '$json.text.replace(/a/g, "")'],
  ['a method of the language', '$json.text.toTitleCase()'],
  ['a method that is not known', '$json.text.localeCompare("a")'],
  ['a method of what is not there', '$json.missing.trim()'],
  ['JSON of what is not there', '$json.missing.toJsonString()'],
  ['a method of what an optional chain skips', '$json.missing?.isEmpty()'],
  ['an element that is undefined', '[$json.missing][0] === undefined'],
  ['a list with undefined that is searched', '($json.text && [$json.missing]).includes(null)'],
  ['a key whose value is undefined', 'Object.keys({ a: $json.missing })'],
  ['JSON of an item, which may have pairs', 'JSON.stringify($input.item)'],
  ['a list of items', '$("A").all().slice()'],
  ['an item of a list', '$input.all()[0] || 1'],
  ['large numbers of other radixes', 'parseInt("896805868350736219845270", 36)'],
  ['an indent with a null character', 'JSON.stringify([1], null, "-\\u0000")'],
  ['nothing that is repeated too often', '"".repeat(1e10)'],
  ['whether an object is empty', '$json.deep.isEmpty()'],
  ['a method of an object', '$json.deep.toString()'],
  ['a method that changes data', '$json.list.pop()'],
  ['an argument that is an object', '$json.text.concat($json.deep)'],
  ['a method that fails', '$json.text.repeat(-1)'],
  ['a computed method', '$json.text["trim"]()'],
  ['a function of another name', 'Math.random() + 1'],
  ['arguments that are spread', 'Math.max(...$json.list)'],
  ['a call if there is a method', '$json.text.trim?.()'],
  ['a field of what is not there', '$json.missing.deeper || 1'],
  ['a member of lists', '$json.list.isEmpty || 1'],
  ['a member of all objects', '$json.hasOwnProperty ? 1 : 2'],
  ['a field of a root that is no item', '$execution.none ? 1 : 2'],
  ['custom data', '$execution.customData'],
  ['an object that meets an operator', '$json.list + 1'],
  ['an object within another', '{ all: $json.deep }'],
  ['a number that JSON does not have', '$json.n / $json.zero'],
  ['the zero below', '$json.zero * -1'],
  ['not a number', '$json.text * 2'],
  ['a node that has not run', '$("None").item.json.v || 1'],
  ['?? beside ||', '$json.a ?? $json.b || 1'],
  ['a power', '$json.n ** 2'],
  ['an assignment', '$json.n += 2'],
  ['a count', '1 +--$json.n'],
  ['a shift', '$json.n << 2'],
  ['a list with gaps', '[1,,2]'],
  ['the prototype of an object', '{ __proto__: $json.text }'],
  ['a key that is computed', '{ ["a"]: 1 }'],
  ['a short key', '{ $json }'],
  ['a name of the language', 'Infinity + 1'],
  ['more than 64 operands', Array.from({ length: 65 }, () => '1').join('+')],
])('%s is left to the guest', (_, source) => {
  expect(inHost(`={{ ${source} }}`, scope)).toBeUndefined();
});

test('where one expression of a node needs the guest, that has all of them', () => {
  const compiled = sandbox.compile({ a: '={{ $json.n + 1 }}', b: '={{ $json.text.toTitleCase() }}' });
  expect(sandbox.resolve(compiled, scope, never)).toBeInstanceOf(Promise);
});

describe('finding 5: all host evaluation of a node run shares one budget', () => {
  const long = makeScope({ items: itemsOf({ s: 'x'.repeat(5_000_000), n: 1 }) });
  test('text that expressions read and make, over all parameters', () => {
    expect(hasMoved({ a: '={{ $json.s }}!' }, long)).toBe(false);
    expect(hasMoved({ a: '={{ $json.s }}!', b: '={{ $json.s + 1 }}' }, long)).toBe(false);
    expect(hasMoved({ a: '={{ $json.s }}!', b: '={{ $json.s + 1 }}', c: '={{ $json.s }}?' }, long)).toBe(true);
    expect(hasMoved({ a: `=${'{{ $json.s || 0 }}'.repeat(4)}` }, long)).toBe(true);
    expect(hasMoved({ a: '={{ +$json.s || $json.s == 1 || $json.s === "x" || $json.s < 2 }}' }, long)).toBe(true);
  });

  test('one hundred copies of five megabytes are an error with a hint, and are never created', async () => {
    const compiled = sandbox.compile({ p: `=${'{{$json.s}}'.repeat(100)}`, n: '={{ $json.n }}' });
    const resolved = await sandbox.resolve(compiled, long, never);
    expect(() => resolved.get('p', 0)).toThrow(expect.objectContaining({ code: 'EXPRESSION_ERROR' }));
    expect(() => resolved.get('p', 0)).toThrow(/characters|memory|ms/);
    expect(resolved.get('n', 0)).toBe(1);
  });

  test('elements of lists that are printed', () => {
    const list = Array.from({ length: 1_100_000 }, () => 1);
    expect(hasMoved({ a: '=list: {{ $json.list }}' }, makeScope({ items: itemsOf({ list }) }))).toBe(true);
    expect(hasMoved({ a: '=list: {{ $json.list }}' }, makeScope({ items: itemsOf({ list: [1, [2]] }) }))).toBe(false);
  });

  test('references cost nothing, however large their values are', () => {
    const parameters = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`p${i}`, '={{ $json.s }}']));
    expect(hasMoved(parameters, long)).toBe(false);
  });

  test("lists nested too deeply to be printed are the guest's", () => {
    let list: JsonValue = [];
    for (let depth = 0; depth < 100; depth += 1) list = [list];
    expect(hasMoved({ a: '=list: {{ $json.list }}' }, makeScope({ items: itemsOf({ list }) }))).toBe(true);
  });
});

test('paths within text stay in the host where other parameters need the guest', async () => {
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

/** Sources of random expressions, and none that the host cannot read. */
const textCalls =
  'at charAt concat endsWith includes indexOf lastIndexOf padEnd padStart replace replaceAll slice split startsWith'
    .concat(' substring toLowerCase toString toUpperCase trim trimEnd trimStart')
    .split(' ');
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
    fc
      .tuple(tie('leaf'), fc.constantFrom('first', 'last', 'isEmpty', 'isNotEmpty', 'toJsonString', 'toString'))
      .map(([leaf, name]) => `(${leaf}).${name}()`),
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
