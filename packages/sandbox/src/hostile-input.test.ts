import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@sluice/domain';
import { itemsOf, makeScope, never } from '../tests/scope-fixture.ts';
import { type HostQuery, hostServices } from './host/host-services.ts';
import { createSandbox, type EvaluationScope, type Sandbox } from './index.ts';

const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 32, threads: 1 });
/** Short limits for code that never ends. */
const hasty = createSandbox({ timeoutMs: 200, memoryMb: 32, threads: 1 });
afterAll(() => Promise.all([sandbox.close(), hasty.close()]));

const scope = makeScope({
  items: itemsOf({ a: 1, s: 'text', list: [3, 1, 2] }, { a: 2 }),
  runs: { A: [{ outputs: [itemsOf({ v: 1 })] }] },
});

/** A value or an error code; nothing else may come out. */
async function evaluate(source: string, over: EvaluationScope = scope, by = sandbox): Promise<JsonValue | undefined> {
  const resolved = await by.resolve(by.compile({ p: `={{ ${source} }}` }), over, never);
  try {
    return resolved.get('p', 0);
  } catch (error) {
    return (error as { code: string }).code;
  }
}

async function runCode(source: string, by = sandbox): Promise<unknown> {
  try {
    return (await by.runCode({ source, mode: 'allItems', scope }, never)).items;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const hostNames = Reflect.ownKeys(Object.prototype).concat(Reflect.ownKeys(Array.prototype), Reflect.ownKeys(globalThis));

test('alternating expressions and code each have only their own names, in one thread', async () => {
  const reads = 'Object.getPrototypeOf([]) === Array.prototype';
  for (let round = 0; round < 2; round += 1) {
    expect(await evaluate(`(0, ${reads})`)).toBe('EXPRESSION_ERROR');
    expect(await runCode(`return { json: { same: ${reads}, method: typeof $callMethod } }`)).toMatchObject([
      { json: { same: true, method: 'undefined' } },
    ]);
  }
});

afterEach(async () => {
  const names = Reflect.ownKeys(Object.prototype).concat(Reflect.ownKeys(Array.prototype), Reflect.ownKeys(globalThis));
  expect(names).toEqual(hostNames);
  expect(scope.items).toEqual(itemsOf({ a: 1, s: 'text', list: [3, 1, 2] }, { a: 2 }));
  await expectGoingOn(sandbox);
});

/**
 * Valid expressions still have their values. Retries, because a busy machine may exceed the short
 * limits.
 */
async function expectGoingOn(by: Sandbox): Promise<void> {
  const good = () => evaluate('$json.list.map(n => n + 1).join("-") + JSON.stringify({ a: [$json.a] })', scope, by);
  let value = await good();
  for (let tries = 1; tries < 20 && value === 'EXPRESSION_ERROR'; tries += 1) value = await good();
  expect(value).toBe('4-2-3{"a":[1]}');
}

describe('escape attempts', () => {
  /** Returns `true` if it reached an object of the host. */
  const reach =
    '(f => { try { const p = f(); return typeof p.exit === "function" || !!p.versions.node } catch { return false } })';
  test.each([
    `${reach}(() => this.constructor.constructor('return process')())`,
    `${reach}(() => globalThis['con' + 'structor']['con' + 'structor']('return process')())`,
    `${reach}(() => (function () {})['const' + 'ructor']('return process')())`,
    `${reach}(() => (async () => {})['\\x63onstructor']('return process')())`,
    `${reach}(() => $json.s['sub']['const' + 'ructor']('return process')())`,
    `${reach}(() => [].at['\\u0063onstructor']\`return process\`())`,
    `${reach}(() => \`\${{ toString: () => globalThis.process }}\`)`,
    `${reach}(() => Reflect.construct(Function, ['return process'])())`,
    `${reach}(() => eval('process'))`,
    `${reach}(() => new Function('return process')())`,
    `${reach}(() => { try { null.x } catch (e) { return e['const' + 'ructor']['const' + 'ructor']('return process')() } })`,
    `${reach}(() => Error.prepareStackTrace = (e, frames) => frames[0].getThis())`,
    `${reach}(() => { try { (function f() { f() })() } catch (e) { return e['const' + 'ructor']['const' + 'ructor']('return process')() } })`,
    `${reach}(() => $('A').first['const' + 'ructor']('return process')())`,
    `${reach}(() => $['const' + 'ructor']('return this')())`,
    `${reach}(() => Intl.DateTimeFormat['const' + 'ructor']('return process')())`,
    `${reach}(() => require('child_process'))`,
    `${reach}(() => new Proxy({}, { get: () => globalThis.process }).x)`,
    `${reach}(() => URL['const' + 'ructor']('return process')())`,
    `${reach}(() => new URL('http://x')['const' + 'ructor']['const' + 'ructor']('return process')())`,
    `${reach}(() => Intl.NumberFormat['__pro' + 'to__']['__pro' + 'to__']['const' + 'ructor']('return process')())`,
    `${reach}(() => $jmespath({ a: 1 }, '__proto__.constructor'))`,
    `${reach}(() => $callMethod(() => {}, 'const' + 'ructor', 'return process')())`,
    `${reach}(() => $callMethod($json, '__proto__'))`,
    `${reach}(() => luxon.DateTime['const' + 'ructor']('return process')())`,
    `${reach}(() => ({}).merge(JSON.parse('{"__proto__":{"exit":1}}')).exit)`,
    `${reach}(() => [{ k: '__proto__', v: { exit: () => {} } }].smartJoin('k', 'v'))`,
    `${reach}(() => atob['const' + 'ructor']('return process')())`,
    `${reach}(() => $execution.customData.set['const' + 'ructor']('return process')())`,
    `${reach}(() => Object.entries(Object.getOwnPropertyDescriptors(globalThis)).map(([, d]) => d.value).find((v) => v && v.exit))`,
  ])('fail: %s', async (source) => {
    expect([false, 'EXPRESSION_ERROR']).toContain(await evaluate(source));
    expect(await runCode(`return [{ out: ${source} }]`)).toEqual([{ json: { out: false } }]);
  });

  test.each(['});process.exit(1);(function(){', '1)}; while(false){(2', '*/ process /*', '}}{{ process', '\u2028process'])(
    'that break out of the wrapper remain inside the guest: %j',
    async (source) => {
      expect([undefined, 'EXPRESSION_ERROR']).toContain(await evaluate(source));
      expect(await runCode(source)).toBe('CODE_ERROR');
    },
  );

  test('the guest has no host globals', async () => {
    const names =
      'process require module fetch setTimeout setInterval setImmediate WebAssembly Worker Deno Bun std os scriptArgs print load';
    expect(await evaluate(`"${names}".split(" ").filter(name => name in globalThis)`)).toEqual([]);
  });
});

describe('excessive use that the language rejects', () => {
  afterEach(() => expectGoingOn(hasty));

  test.each([
    'new Uint8Array(2 ** 31)',
    '"x".repeat(2 ** 30)',
    'JSON.parse("[".repeat(1e6))',
    'new RegExp("(".repeat(1e5))',
    'new Intl.NumberFormat("en", { minimumFractionDigits: 1e9 })',
    'new Intl.DateTimeFormat("x".repeat(1e6))',
  ])('makes an expression undefined or fail, and fails code: %s', async (source) => {
    expect([undefined, 'EXPRESSION_ERROR']).toContain(await evaluate(source, scope, hasty));
    expect(await runCode(`return [{ v: ${source} }]`, hasty)).toMatch(/^CODE_/);
  });
});

describe('excessive use is an error', () => {
  afterEach(() => expectGoingOn(hasty));

  test.each([
    '(() => { while (true) {} })()',
    '(() => { for (;;) { try { while (true) {} } catch {} finally { continue } } })()',
    '(() => { const a = []; for (;;) a.push(new Array(1e5).fill(a.length)) })()',
    '(() => { let s = "x"; for (;;) s += s })()',
    '(() => { const m = new Map(); for (let i = 0; ; i++) m.set(i, { i }) })()',
    '/^(a+)+$/.test("a".repeat(50) + "!")',
    '/(?:(?:a*)*)*b/.test("a".repeat(50))',
    '(function f() { return f() + 1 })()',
    '(() => { let n = []; for (let i = 0; i < 1e5; i++) n = [n]; return n })()',
    '(() => { let n = {}; for (let i = 0; i < 2000; i++) n = { n }; return n })()',
    'eval("(".repeat(1e5))',
    'Array.from({ length: 25 }, () => "x".repeat(1e6))',
    '(() => { const a = []; a[0] = a; return a })()',
    '[1, 2].sort(() => { while (true) {} })',
    '({ toJSON() { while (true) {} } })',
    '({ get a() { throw new Error("no") } })',
    'Array.from({ length: 1e7 }, () => "x".localeCompare("é"))',
    '(() => { for (;;) new URL("http://x/" + Math.random()) })()',
    '(() => { for (;;) (1).toLocaleString("de", { minimumFractionDigits: 100 * Math.random() | 0 }) })()',
    '(() => { for (;;) btoa("x".repeat(1e5)) })()',
    'btoa("x".repeat(2e7))',
    '(() => { let u = new URL("http://x"); for (;;) u.search += "a" })()',
  ])('%s', async (source) => {
    expect(await evaluate(source, scope, hasty)).toBe('EXPRESSION_ERROR');
    expect(await runCode(`return [{ v: ${source} }]`, hasty)).toMatch(/^CODE_/);
  });

  test.each([
    '"x".repeat(1e7).base64Encode().base64Encode().base64Encode()',
    '("a".repeat(1e6) + "@").extractEmail().extractEmail()',
    '"<".repeat(1e6).removeTags().chunk()',
    '("*a".repeat(1e5)).removeMarkdown().chunk()',
    '[1].chunk(0)',
    '[1].chunk(1e-300)',
    'Array.from({ length: 3e5 }, (_, i) => ({ i })).unique().unique().unique().unique()',
    '"x".hash("none")',
    '$jmespath({ a: 1 }, "@".repeat(1e6)).b.sum(1)()',
    '["a", 1].sum()',
    '"never".toDateTime()',
  ])('from methods on values: %s', async (source) => {
    expect([undefined, 'EXPRESSION_ERROR']).toContain(await evaluate(source, scope, hasty));
  });

  test('from code with bytes and hashes', async () => {
    expect(await runCode('for (;;) Buffer.alloc(1e6)', hasty)).toBe('CODE_TIMEOUT');
    expect(await runCode('const all = []; for (;;) all.push(Buffer.alloc(1e6, 1))', hasty)).toMatch(/^CODE_/);
    expect(await runCode('const h = crypto.createHash("sha512"); for (;;) h.update("x".repeat(1e5))', hasty)).toMatch(/^CODE_/);
    expect(await runCode('for (;;) crypto.createHash("md5").update("x").digest()', hasty)).toBe('CODE_TIMEOUT');
    expect(
      await runCode(
        'return [{ a: structuredClone((() => { let n = {}; for (let i = 0; i < 1e5; i++) n = { n }; return n })()) }]',
        hasty,
      ),
    ).toMatch(/^CODE_/);
  });

  test('input that exceeds the limits of the guest', async () => {
    const over = makeScope({ items: itemsOf({ s: 'x'.repeat(20_000_000) }) });
    expect(await evaluate('$json.s.trim().length', over)).toBe('EXPRESSION_ERROR');
  });

  test('source that is too long', async () => {
    expect(await evaluate(`"${'x'.repeat(70_000)}" + 1`)).toBe('EXPRESSION_ERROR');
  });

  test('more strings with expressions than a node may have', async () => {
    const parameters = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, '={{ 1 }}']));
    const resolved = await sandbox.resolve(sandbox.compile(parameters(10_000)), scope, never);
    expect(resolved.get('p9999', 0)).toBe(1);
    expect(() => sandbox.compile(parameters(10_001))).toThrow('this node has more than 10000 strings with expressions');
  });

  test('parameter names of megabytes above very many strings', () => {
    const under = (texts: string[]) => ({ ['k'.repeat(8_000_000)]: texts });
    expect(sandbox.compile(under(Array.from({ length: 1_000_000 }, () => '=x'))).dynamic).toBe(false);
    const parameter = `${'k'.repeat(1_000)}…`;
    expect(() => sandbox.compile(under(Array.from({ length: 10_001 }, () => '={{ 1 }}')))).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ parameter }) }),
    );
  });

  test('except strings whose braces never close, which are not expressions', () => {
    const texts = Array.from({ length: 10_001 }, () => '=a {{ b');
    expect(sandbox.compile({ texts }).dynamic).toBe(false);
  });

  test('many nodes that are named one after another', async () => {
    const source = '(() => { for (let i = 0; ; i++) $("n" + i).isExecuted })()';
    const over = makeScope({ runsOf: () => [] });
    expect(await evaluate(source, over, hasty)).toBe('EXPRESSION_ERROR');
  });
});

describe('a call has no effect on later ones', () => {
  const check =
    'return [{ dirty: [typeof ({}).dirty, typeof [].dirty, typeof globalThis.dirty, JSON.stringify({ a: 1 }), [1].map(String)[0]].join() }]';
  test.each([
    'Object.prototype.dirty = 1',
    'Array.prototype.dirty = 1',
    'globalThis.dirty = 1',
    'JSON.stringify = () => "dirty"',
    'JSON.parse = () => ({})',
    'Array.prototype.map = () => ["dirty"]',
    'Object.prototype.toJSON = () => "dirty"',
    'Object.defineProperty(Array.prototype, 0, { set() {}, get() { return "dirty" } })',
    'Promise.prototype.then = () => {}',
    'Symbol.prototype[Symbol.toPrimitive] = () => "dirty"',
    'globalThis.eval = globalThis.Function = undefined',
    'Object.freeze(Object.prototype), Object.freeze(globalThis)',
    'String.prototype.split = Array.prototype.push = Map.prototype.get = () => { throw 1 }',
    'Object.defineProperty(globalThis, "$json", { value: 1 })',
    'Math.random = () => 4',
    'URL.prototype.read = URL.prototype.toJSON = () => "dirty"',
    'Intl.NumberFormat.prototype.format = Number.prototype.toLocaleString = () => "dirty"',
    'DateTime.prototype.toISO = luxon.Settings.now = () => "dirty"',
    'luxon.Settings.defaultZone = "Asia/Tokyo", luxon.Settings.defaultLocale = "fr"',
    'RegExp.prototype.exec = RegExp.prototype.test = () => null',
    'Reflect.apply = Object.keys = Object.entries = () => ["dirty"]',
  ])('%s', async (source) => {
    await runCode(`${source}; return []`);
    expect(await runCode(check)).toEqual([{ json: { dirty: 'undefined,undefined,undefined,{"a":1},1' } }]);
    await evaluate(`(${source}, 1)`);
    expect(await runCode(check)).toEqual([{ json: { dirty: 'undefined,undefined,undefined,{"a":1},1' } }]);
  });
});

test('changes to dates, numbers and URLs do not persist either', async () => {
  const clean =
    '[DateTime.fromMillis(0).toISO(), (1234.5).toLocaleString(), new URL("http://x/").href, "a".hash(), [2, 1].sum()]';
  const before = await evaluate(clean);
  expect(before).toEqual(['1970-01-01T01:00:00.000+01:00', '1,234.5', 'http://x/', '0cc175b9c0f1b6a831c399e269772661', 3]);
  await runCode(`luxon.Settings.defaultLocale = "fr"; DateTime.prototype.toISO = () => "dirty"; Intl = {}; URL = Buffer = crypto = 1;
    Array.prototype.every = Map.prototype.get = () => false; return []`);
  expect(await evaluate(clean)).toEqual(before);
});

describe('queries to the host', () => {
  test.each([
    '',
    'null',
    '[]',
    '{}',
    '{"offsets":null}',
    '{"intl":{"kind":"constructor","options":{}}}',
    '{"intl":{"kind":"__proto__","options":{}}}',
    '{"intl":{"kind":"NumberFormat","options":null}}',
    '{"intl":{"kind":"ListFormat","options":{},"values":[1]}}',
    '{"intl":{"kind":"RelativeTimeFormat","options":{},"values":[1,"aeons"]}}',
    '{"hash":{"algorithm":"shake256","data":""}}',
    '{"hash":{"algorithm":"md5","data":{}}}',
    '{"hmac":{"algorithm":"md5","data":"","key":null}}',
    '{"random":{"bytes":-1}}',
    '{"random":{"bytes":1e9}}',
    '{"encode":{"text":{"length":1e9},"from":"utf8","to":"base64"}}',
    '{"encode":{"text":"a","from":"utf8","to":"utf16le"}}',
    '{"url":{"href":"nope"}}',
    '{"constructor":1}',
  ])('without an answer return null: %.60s', (request) => {
    expect(hostServices(request)).toBe('null');
  });

  test('return null if the answer is too long', () => {
    expect(hostServices(JSON.stringify({ encode: { text: 'x'.repeat(17_000_000), from: 'utf8', to: 'hex' } }))).toBe('null');
  });

  const marks = '\u0301\u0316'.repeat(8_000);
  const digits = '9'.repeat(20_000);
  test.each<[string, HostQuery]>([
    [
      'a comparison of letters with thousands of marks',
      { intl: { kind: 'Collator', options: {}, values: [`a${marks}`, 'b'] } },
    ],
    ['the same on the other side', { intl: { kind: 'Collator', options: {}, values: ['b', `a${marks}`] } }],
    ['a number with thousands of digits', { intl: { kind: 'NumberFormat', options: {}, values: [digits] } }],
    ['the same in a list', { intl: { kind: 'NumberFormat', options: {}, values: [[digits]] } }],
    ['a long list', { intl: { kind: 'ListFormat', options: {}, values: [Array(20_000).fill('a')] } }],
    ['a string as a list', { intl: { kind: 'ListFormat', options: {}, values: ['a'.repeat(20_000)] } }],
    ['a URL of a million characters', { url: { href: `http://a/${'x'.repeat(1_000_000)}` } }],
  ])('are refused if they would block the thread: %s', (_, query) => {
    expect(hostServices(JSON.stringify(query))).toBe('null');
  });

  test('compare long strings, and letters with some marks', () => {
    const compare = (...values: string[]) =>
      JSON.parse(hostServices(JSON.stringify({ intl: { kind: 'Collator', options: {}, values } })));
    expect(compare(`${'ü'.repeat(100_000)}a`, `${'ü'.repeat(100_000)}b`)).toBe(-1);
    expect(compare(`a${marks.slice(0, 50)}`, 'b')).toBe(-1);
  });

  test('set only the parts of a URL', () => {
    const query = { url: { href: 'http://x/', set: ['__proto__', 'y'] } };
    expect(JSON.parse(hostServices(JSON.stringify(query))).href).toBe('http://x/');
  });
});

describe('a hostile template is an error of its parameter only', () => {
  test.each([
    ['unbalanced braces', '={{ { }}'.repeat(20_000)],
    ['unclosed substitutions', `={{ ${'"${"'.repeat(10_000)} ${'`${'.repeat(10_000)} }}`],
    ['more source than a node may have', `={{ 1 + ${' '.repeat(60_000)} 1 }}`.repeat(20)],
    ['brackets', `={{ ${'('.repeat(30_000)} }}`],
    ['operators', `={{ ${'!'.repeat(30_000)}1 }}`],
    ['conditions', `={{ ${'a?'.repeat(900)}1${':1'.repeat(900)} }}`],
    ['many expressions', `=${'{{1}}'.repeat(150_000)}{{ $nothing( }}`],
  ])('%s', async (_, hostile) => {
    const before = process.cpuUsage();
    const compiled = sandbox.compile({ good: '={{ $json.a }}', text: '={{ $json.a }}!', hostile });
    // Processor time, in microseconds; quadratic algorithms would take minutes.
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
    const resolved = await hasty.resolve(compiled, scope, never);
    try {
      resolved.get('hostile', 0);
    } catch (error) {
      expect(error).toMatchObject({ code: 'EXPRESSION_ERROR', parameter: 'hostile' });
    }
    expect([resolved.get('good', 0), resolved.get('text', 0)]).toEqual([1, '1!']);
  });
});

describe('unusual data remains data', () => {
  test.each<[string, JsonValue | undefined]>([
    ['"a\\u0000b"', 'a\u0000b'],
    ['"\\ud800"', '\ud800'],
    ['JSON.parse(\'{"__proto__":{"x":1},"constructor":2}\')', JSON.parse('{"__proto__":{"x":1},"constructor":2}')],
    ['Symbol("s")', undefined],
    ['({ [Symbol.toPrimitive]: () => 1, a: 1 })', { a: 1 }],
    ['() => 1', 'EXPRESSION_ERROR'],
    ['({ toJSON: () => ({ b: 2 }) })', { b: 2 }],
    ['({ toJSON: () => undefined })', undefined],
    ['new Proxy({ a: 1 }, {})', { a: 1 }],
    ['[NaN, Infinity, -0, undefined]', [null, null, 0, null]],
    ['"\\u2028 }} {{"', '\u2028 }} {{'],
    ['new Map([[1, 2]])', {}],
  ])('%s', async (source, expected) => {
    expect(await evaluate(source)).toEqual(expected);
  });

  test('of items is passed unchanged', async () => {
    const json = JSON.parse('{"__proto__":{"x":1},"nul":"\\u0000","lone":"\\udc00","toString":"t","":0}');
    const over = makeScope({ items: [{ json }] });
    expect(await evaluate('Object.assign({}, { all: $json }).all', over)).toEqual(json);
    expect(await evaluate('$json', over)).toBe(json);
    expect(Object.keys((await evaluate('[$json][0]', over)) as object)).toEqual(Object.keys(json));
  });

  test('a node named __proto__ is a node', async () => {
    const runs = JSON.parse('{"__proto__":[{"outputs":[[{"json":{"v":7}}]]}]}');
    const over = makeScope({ runs });
    for (const source of [
      '$("__proto__").first().json.v',
      '$("__proto__").first().json.v + 0',
      '$items("__proto__")[0].json.v',
    ]) {
      expect(await evaluate(source, over)).toBe(7);
    }
    expect(await evaluate('$("toString").isExecuted', over)).toBe('EXPRESSION_ERROR');
  });

  test('a parameter named __proto__ is a parameter', async () => {
    const parameters = JSON.parse('{"__proto__":{"polluted":"={{ 1 + 1 }}"},"a":"={{ 2 }}"}');
    const resolved = await sandbox.resolve(sandbox.compile(parameters), scope, never);
    const value = resolved.get('', 0) as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.hasOwn(value, '__proto__')).toBe(true);
    expect(resolved.get('__proto__.polluted', 0)).toBe(2);
    expect('polluted' in value).toBe(false);
  });

  test('thrown values of any kind fail code and make an expression undefined', async () => {
    for (const thrown of [
      '1',
      'null',
      'undefined',
      '{}',
      'Symbol("x")',
      '{ get message() { throw 1 } }',
      'new Proxy({}, { get() { throw 2 } })',
    ]) {
      expect([undefined, 'EXPRESSION_ERROR']).toContain(await evaluate(`(() => { throw ${thrown} })()`));
      expect(await runCode(`throw ${thrown}`)).toBe('CODE_ERROR');
    }
  });
});

describe('a reply that code forges does not exceed the limits', () => {
  const code = (source: string, customData = {}) => {
    const scope = makeScope({ execution: { id: '1', mode: 'manual', customData } });
    return sandbox.runCode({ source, mode: 'allItems', scope }, never);
  };

  test('of custom data', async () => {
    const existing = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`k${at}`, 'v']));
    const forged = 'Object.fromEntries = () => ({ k0: "changed", k1: 5, more: "x", __proto__: "x", "a b": "x" })';
    const { customData } = await code(`${forged}; $execution.customData.set("k0", "x"); return []`, existing);
    expect(customData).toEqual({ k0: 'changed' });
  });

  test('of console output', async () => {
    const forged = 'String.prototype.substring = () => ({ length: 0, toJSON: () => "x".repeat(200_000) })';
    const { logs } = await code(`${forged}; for (let at = 0; at < 20; at += 1) console.log("a"); return []`);
    expect(logs.join('')).toHaveLength(256 * 1024);
  });
});
