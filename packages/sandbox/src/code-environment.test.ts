import { createHash, createHmac } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@sluice/domain';
import { itemsOf, makeScope, never } from '../tests/scope-fixture.ts';
import { type CodeRunRequest, createSandbox } from './index.ts';

const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 64, threads: 1 });
afterAll(() => sandbox.close());

const scope = makeScope({ items: itemsOf({ n: 1 }, { n: 2 }) });

function run(source: string, rest: Partial<CodeRunRequest> = {}) {
  return sandbox.runCode({ source, mode: 'allItems', scope, ...rest }, never);
}

async function value(expression: string): Promise<JsonValue | undefined> {
  return (await run(`return { value: ${expression} }`)).items[0]?.json['value'];
}

describe('bytes and strings', () => {
  test.each<[string, JsonValue]>([
    ['Buffer.from("héllo").toString("base64")', 'aMOpbGxv'],
    ['Buffer.from("aMOpbGxv", "base64").toString()', 'héllo'],
    ['Buffer.concat([Buffer.from("a"), Buffer.from([98])]).toString("hex")', '6162'],
    ['JSON.stringify(Buffer.from("a"))', '{"type":"Buffer","data":[97]}'],
    ['btoa("a\\u00ff") + atob("Yf8=").charCodeAt(1)', 'Yf8=255'],
    ['[...new TextEncoder().encode("é")]', [195, 169]],
    ['new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 195, 169]))', 'é'],
    ['typeof globalThis["Buf" + "fer"].from', 'function'],
    ['Buffer.from("ü?>>").toString("base64url")', 'w7w_Pj4'],
    ['Buffer.from("w7w_Pj4", "base64url").toString()', 'ü?>>'],
    [
      '[Buffer.isEncoding("base64URL"), Buffer.byteLength("w7w_Pj4", "base64url"), Buffer.from("abc").toString("latin1", 1)]',
      [true, 5, 'bc'],
    ],
    [
      'crypto.createHmac("sha256", "key").update("6").digest("base64url")',
      createHmac('sha256', 'key').update('6').digest('base64url'),
    ],
  ])('%s', async (expression, expected) => {
    expect(await value(expression)).toEqual(expected);
  });

  test.each(['btoa("\\u0100")', 'atob("*")', 'new TextDecoder("latin1")'])('reject unsupported use: %s', async (expression) => {
    await expect(value(expression)).rejects.toThrow('RangeError');
  });
});

describe('crypto', () => {
  test.each(['md5', 'sha1', 'sha256', 'sha384', 'sha512', 'sha3-256', 'ripemd160'])(
    'hashes as Node does: %s',
    async (algorithm) => {
      const expected = createHash(algorithm)
        .update('aé')
        .update(Buffer.from([1, 2]))
        .digest('hex');
      const source = `crypto.createHash("${algorithm}").update("aé").update(Buffer.from([1, 2])).digest("hex")`;
      expect(await value(source)).toBe(expected);
    },
  );

  test('signs as Node does', async () => {
    const expected = createHmac('sha256', 'key').update('text').digest('base64');
    expect(await value('crypto.createHmac("SHA256", "key").update("text").digest("base64")')).toBe(expected);
  });

  test('digests asynchronously', async () => {
    const source = 'Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode("hello"))).toString("hex")';
    expect(await value(source)).toBe(createHash('sha256').update('hello').digest('hex'));
  });

  test('returns random values that differ between calls', async () => {
    const source = `[crypto.randomUUID(), crypto.randomBytes(8).toString("hex"), crypto.randomInt(5, 6),
      crypto.getRandomValues(new Uint32Array(4)).some((n) => n > 0)]`;
    const [first, second] = [await value(source), await value(source)] as [JsonValue[], JsonValue[]];
    expect(first[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(first[0]).not.toBe(second[0]);
    expect(first[1]).not.toBe(second[1]);
    expect(first.slice(2)).toEqual([5, true]);
  });

  test.each(['crypto.createHash("none")', 'crypto.randomBytes(1e9)', 'crypto.createHash("md5").update({})'])(
    'refuses %s',
    async (expression) => {
      await expect(value(expression)).rejects.toMatchObject({ code: 'CODE_ERROR' });
    },
  );
});

describe('URLs', () => {
  test('have parts that can be set', async () => {
    const source = `const url = new URL("../b?x=1#h", "https://user:pw@Example.com:444/a/c/");
      url.port = "8080"; url.searchParams.append("q", "a b&c"); url.hash = "";
      return { href: url.href, host: url.host, user: url.username, params: [...url.searchParams], text: \`\${url}\`, inside: { url } }`;
    const href = 'https://user:pw@example.com:8080/a/b?x=1&q=a+b%26c';
    const params = [
      ['x', '1'],
      ['q', 'a b&c'],
    ];
    const expected = { href, host: 'example.com:8080', user: 'user', params, text: href, inside: { url: href } };
    expect((await run(source)).items[0]?.json).toEqual(expected);
  });

  test.each<[string, JsonValue]>([
    ['new URLSearchParams({ a: "ü~", b: 2 }).toString()', 'a=%C3%BC%7E&b=2'],
    ['new URLSearchParams("?a=1&a=%zz&b").getAll("a")', ['1', '%zz']],
    ['[...new URLSearchParams([["b", 1], ["a", 2]]).keys()]', ['b', 'a']],
    ['(() => { const p = new URLSearchParams("a=1&b=2&a=3"); p.set("a", 4); p.delete("b"); return p.toString() })()', 'a=4'],
    ['URL.canParse("nope")', false],
  ])('%s', async (expression, expected) => {
    expect(await value(expression)).toEqual(expected);
  });

  test('that are invalid throw', async () => {
    await expect(value('new URL("nope")')).rejects.toThrow('TypeError: Invalid URL: nope');
  });
});

test('structuredClone copies bytes', async () => {
  const source = `
    const bytes = Buffer.from("abc"), view = new DataView(bytes.buffer, bytes.byteOffset, 3), part = new Int16Array([1, 2, 3]).subarray(1);
    const copies = [bytes, view, part].map((one) => structuredClone(one));
    bytes[0] = 120; part[0] = 9;
    return { value: [copies[0][0], copies[1].getUint8(0), copies[1].byteLength, [...copies[2]]] }`;
  expect((await run(source)).items[0]?.json['value']).toEqual([97, 97, 3, [2, 3]]);
});

test('structuredClone copies deeply, including cycles', async () => {
  const source = `const a = { d: new Date(0), m: new Map([[1, { x: 1 }]]), l: [1, { y: 2 }] }; a.self = a;
    const b = structuredClone(a); b.l[1].y = 3; b.m.get(1).x = 9;
    return { y: a.l[1].y, x: a.m.get(1).x, same: b.self === b, date: b.d instanceof Date }`;
  expect((await run(source)).items[0]?.json).toEqual({ y: 2, x: 1, same: true, date: true });
  await expect(value('structuredClone({ f() {} })')).rejects.toThrow('cannot copy a function');
});

test.each([
  ['require("fs")', 'require() supports only buffer, crypto, luxon, url, not "fs"'],
  ['require("constructor")', 'require() supports only'],
  ['fetch("http://localhost")', 'no network'],
  ['this.helpers.httpRequest({})', 'this.helpers.httpRequest is not available: user code has no network'],
  ['$helpers.request()', 'no network'],
  ['$secrets.vault', 'expressions and code cannot read secrets'],
  ['$fromAI("x")', 'tools that an AI agent calls'],
  ['$evaluateExpression("{{ 1 }}")', 'text is never evaluated'],
])('%s is refused with a reason', async (expression, reason) => {
  await expect(value(expression)).rejects.toThrow(reason);
});

test.each<[string, unknown]>([
  ['require("crypto").createHash("md5").update("hello").digest("hex")', '5d41402abc4b2a76b9719d911017c592'],
  ['require("node:crypto").randomUUID().length', 36],
  ['require("buffer").Buffer.from("hi").toString("hex")', '6869'],
  ['new (require("url").URL)("http://a.example/x").pathname', '/x'],
  ['require("luxon").DateTime.fromISO("2026-01-01").year', 2026],
])('require returns the parts that the language already has: %s', async (expression, expected) => {
  expect(await value(expression)).toEqual(expected);
});

describe('static data', () => {
  const staticData = { global: { count: 1 }, node: { seen: ['a'] } };

  test('is returned as a whole for each part that the code changes', async () => {
    const source = '$getWorkflowStaticData("global").count += 1; $getWorkflowStaticData("node").seen; return []';
    expect((await run(source, { staticData: async () => staticData })).staticData).toEqual({ global: { count: 2 } });
    expect(staticData.global.count).toBe(1);
  });

  test('is absent if nothing changed, and empty at first', async () => {
    expect(await run('$getWorkflowStaticData("node"); return []', { staticData: async () => staticData })).not.toHaveProperty(
      'staticData',
    );
    expect(await value('getWorkflowStaticData("global")')).toEqual({});
  });

  test('is read only for code that names it; changes through a computed name are not stored', async () => {
    const staticData = () => Promise.reject(new Error('read'));
    const source = 'globalThis["$getWorkflowStat" + "icData"]("global").count = 1; return []';
    expect(await run(source, { staticData })).not.toHaveProperty('staticData');
  });

  test('is bounded', async () => {
    const source = '$getWorkflowStaticData("node").text = "x".repeat(2e6); return []';
    await expect(run(source)).rejects.toThrow('the node static data is longer than');
    await expect(value('$getWorkflowStaticData("other")')).rejects.toThrow('"global" or "node"');
  });
});

describe('custom data', () => {
  const over = makeScope({ execution: { id: '1', mode: 'manual', customData: { old: 'x' } } });

  test('that is set is returned, and can be read with the earlier data', async () => {
    const source =
      '$execution.customData.set("id", 5); $execution.customData.setAll({ b: true }); return $execution.customData.getAll()';
    const result = await run(source, { scope: over });
    expect(result.items[0]?.json).toEqual({ old: 'x', id: '5', b: 'true' });
    expect(result.customData).toEqual({ id: '5', b: 'true' });
    expect(await run('return $execution.customData.get("old") === "x" ? {} : []', { scope: over })).not.toHaveProperty(
      'customData',
    );
  });

  test('set by expressions is returned with the parameters', async () => {
    const compiled = sandbox.compile({
      p: '={{ $execution.customData.set("who", $json.n) }}',
      q: '={{ $execution.customData.get("old") }}',
    });
    const resolved = await sandbox.resolve(compiled, { ...over, items: scope.items }, never);
    expect(resolved.customData).toEqual({ who: '2' });
    expect(resolved.get('q', 0)).toBe('x');
  });

  test.each([
    'set("a b", 1)',
    'set("k", "x".repeat(300))',
    'setAll(Object.fromEntries([..."abcdefghijk"].map((c) => [c, 1])))',
  ])('is bounded: %s', async (call) => {
    await expect(run(`$execution.customData.${call}; return []`, { scope: over })).rejects.toThrow('custom data');
  });
});

describe('the code of Function Item', () => {
  const file = { id: 'f', mimeType: 'text/plain' };
  const over = makeScope({ items: [{ json: { n: 1 }, binary: { file } }, { json: { n: 2 } }] });

  test('receives and returns the JSON, and the files are kept', async () => {
    const { items } = await run('item.json = index; return item', { mode: 'functionItem', scope: over });
    expect(items).toEqual([
      { json: { n: 1, json: 0 }, binary: { file }, pairedItem: { item: 0 } },
      { json: { n: 2, json: 1 }, pairedItem: { item: 1 } },
    ]);
  });

  test('returns a list as the JSON of the item, but nothing else', async () => {
    const list = await run('return [item, index]', { mode: 'functionItem', scope: over });
    expect(list.items.map(({ json }) => json)).toEqual([
      [{ n: 1 }, 0],
      [{ n: 2 }, 1],
    ]);
    for (const source of ['return "x"', 'return 5', 'return null', 'return'])
      await expect(run(source, { mode: 'functionItem', scope: over })).rejects.toMatchObject({ itemIndex: 0 });
  });
});

test('Intl and luxon are available in code too', async () => {
  expect(await value('new Intl.NumberFormat("fr-FR").format(1234.5)')).toBe('1\u202f234,5');
  expect(await value('[1, 2.5].map(new Intl.NumberFormat("de").format)')).toEqual(['1', '2,5']);
  expect(await value('[0, new Date(1e12)].map(new Intl.DateTimeFormat("de").format)')).toEqual(['1.1.1970', '9.9.2001']);
  expect(await value('new Date(0).toLocaleDateString("en-GB", { hour: "2-digit" })')).toBe('01/01/1970, 01');
  expect(await value('new Date(0).toLocaleTimeString("en-GB", { weekday: "short" })')).toBe('Thu 01:00:00');
  expect(await value('[NaN, -0, Infinity, 10n].map((n) => n.toLocaleString())')).toEqual(['NaN', '-0', '∞', '10']);
  expect(await value('new Intl.PluralRules("en", { type: "ordinal" }).select(2)')).toBe('two');
  expect(await value('new Intl.ListFormat("en").format(["a", "b", "c"])')).toBe('a, b, and c');
  expect(await value('["ä", "z", "a"].sort(new Intl.Collator("de").compare)')).toEqual(['a', 'ä', 'z']);
  expect(await value('DateTime.fromMillis(0).plus({ hours: 1 }).toMillis()')).toBe(3_600_000);
  await expect(value('new Intl.NumberFormat("en", { style: "currency" })')).rejects.toThrow('Intl.NumberFormat');
});

test('the older names of code nodes are available: the mode, and the parameters as written', async () => {
  const scope = makeScope({
    execution: { id: '1', mode: 'trigger' },
    node: { name: 'F', parameters: { a: { b: '={{ 1 }}' } } },
  });
  const source = 'return { mode: $mode, b: this.getNodeParameter("a.b"), none: getNodeParameter("a.toString", "no") }';
  const { items } = await sandbox.runCode({ source, mode: 'allItems', scope }, never);
  expect(items[0]?.json).toEqual({ mode: 'trigger', b: '={{ 1 }}', none: 'no' });
});

describe('timers', () => {
  test('fire in the order of their times; timers with equal times, in the order in which they were set', async () => {
    const source = `const seen = [];
      setTimeout((name) => seen.push(name), 40, "late");
      setTimeout(() => seen.push("early"), 10);
      setTimeout(() => seen.push("early, too"), 10);
      setImmediate(() => seen.push("first"));
      Promise.resolve().then(() => seen.push("job"));
      await new Promise((resolve) => setTimeout(resolve, 60));
      return { seen }`;
    expect((await run(source)).items[0]?.json).toEqual({ seen: ['job', 'first', 'early', 'early, too', 'late'] });
  });

  test('wait for the specified time', async () => {
    const source =
      'const at = Date.now(); await new Promise((resolve) => setTimeout(resolve, 30)); return { waited: Date.now() - at >= 29 }';
    expect((await run(source)).items[0]?.json).toEqual({ waited: true });
  });

  test('repeat until they are cleared, and never fire afterward', async () => {
    const source = `let ticks = 0;
      clearTimeout(setTimeout(() => { ticks = 100 }, 5));
      await new Promise((resolve) => {
        const id = setInterval(() => { ticks += 1; if (ticks === 3) { clearInterval(id); setTimeout(resolve, 20) } }, 2);
      });
      return { ticks }`;
    expect((await run(source)).items[0]?.json).toEqual({ ticks: 3 });
  });

  test('take little time even in tens of thousands, and fire in order unless cleared', async () => {
    const source = `const [seen, from, to] = [[], [], []]; // each timer is due between two times
      const set = (i) => {
        const delay = 500 + (i * 7_919) % 1_000;
        from.push(Date.now() + delay);
        const id = setTimeout(() => seen.push(i), delay);
        to.push(Date.now() + delay + 1);
        return id;
      };
      const ids = Array.from({ length: 30_000 }, (_, i) => set(i));
      ids.filter((_, i) => i % 100).forEach((id) => clearTimeout(id));
      await new Promise((resolve) => setTimeout(resolve, 1_600));
      const isSorted = seen.every((i, at) => at === 0 || from[seen[at - 1]] <= to[i]);
      return { count: seen.length, isSorted, kept: seen.every((i) => i % 100 === 0) }`;
    const brief = createSandbox({ timeoutMs: 10_000, memoryMb: 64, threads: 1 });
    const { items } = await brief.runCode({ source, mode: 'allItems', scope: makeScope() }, never).finally(() => brief.close());
    expect(items[0]?.json).toEqual({ count: 300, isSorted: true, kept: true });
  });

  test('that remain when the code finishes never fire', async () => {
    expect((await run('setInterval(() => { throw new Error("late") }, 1); return { done: true }')).items[0]?.json).toEqual({
      done: true,
    });
  });

  test('whose function throws fail the code', async () => {
    const source = 'setTimeout(() => { throw new Error("boom") }, 1); await new Promise(() => {})';
    await expect(run(source)).rejects.toMatchObject({ code: 'CODE_ERROR', message: expect.stringContaining('boom') });
    await expect(run('setTimeout("text", 1)')).rejects.toThrow('takes a function');
    const later = 'setTimeout(async () => { await null; throw new Error("later") }, 1); await new Promise(() => {})';
    await expect(run(later)).rejects.toThrow('later');
  });

  test('stop at the deadline and release the thread', async () => {
    const short = createSandbox({ timeoutMs: 1_000, memoryMb: 32, threads: 1 });
    const runShort = (source: string) => short.runCode({ source, mode: 'allItems', scope }, never);
    try {
      const forever = runShort('await new Promise((resolve) => setTimeout(resolve, 1e9))');
      const spinning = runShort('setInterval(() => {}, 0); await new Promise(() => {})');
      await expect(forever).rejects.toMatchObject({ code: 'CODE_TIMEOUT' });
      await expect(spinning).rejects.toMatchObject({ code: 'CODE_TIMEOUT' });
      expect((await runShort('return { fine: true }')).items[0]?.json).toEqual({ fine: true });
    } finally {
      await short.close();
    }
  });

  test('a promise that no timer resolves is an error immediately', async () => {
    await expect(run('setTimeout(() => {}, 1); await new Promise(() => {})')).rejects.toThrow('nothing resolves');
  });
});

test.each(['a[', 'foo(a)', "abs('a')"])('the JMESPath expression %s is an error that names it', async (path) => {
  await expect(value(`$jmespath({ a: 1 }, ${JSON.stringify(path)})`)).rejects.toThrow(
    `$jmespath(): ${JSON.stringify(path)} is invalid: `,
  );
});

test('functions return null for null', async () => {
  expect(await value('$jmespath({ a: null }, "a") === null && $jmespath({ a: 1 }, "b") === null')).toBe(true);
});
