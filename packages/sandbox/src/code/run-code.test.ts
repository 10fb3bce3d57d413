import { afterAll, describe, expect, test } from '@jest/globals';
import { itemsOf, makeScope, never } from '../../tests/scope-fixture.ts';
import { type CodeRunRequest, createSandbox } from '../index.ts';

const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 64, threads: 1 });
/** Short limits for code that never ends. */
const hasty = createSandbox({ timeoutMs: 1_000, memoryMb: 64, threads: 1 });
afterAll(() => Promise.all([sandbox.close(), hasty.close()]));

const scope = makeScope({
  items: itemsOf({ n: 1 }, { n: 2 }),
  runs: { A: [{ outputs: [itemsOf({ v: 1 }, { v: 2 })] }] },
});

function run(source: string, mode: CodeRunRequest['mode'] = 'allItems', over = scope, by = sandbox) {
  return by.runCode({ source, mode, scope: over }, never);
}

describe('code over all items', () => {
  test('can return its items, changed or filtered, which keep their link', async () => {
    const { items } = await run('items[1].json.m = 3; return items.filter((item) => item.json.n > 1)');
    expect(items).toEqual([{ json: { n: 2, m: 3 }, pairedItem: { item: 1 } }]);
  });

  test.each<[string, object[]]>([
    ['return [{ a: 1 }, { json: { a: 2 } }]', [{ a: 1 }, { a: 2 }]],
    ['return { a: 1 }', [{ a: 1 }]],
    ['return [{ json: [1, { a: 2 }] }]', [[1, { a: 2 }]]],
    ['return { json: { a: 1 } }', [{ a: 1 }]],
    ['return { json: 1, other: 2 }', [{ json: 1, other: 2 }]],
    ['return []', []],
    ['items = items.slice(1); return items', [{ n: 2 }]],
    ['const items = $input.all(); return items.map(({ json }) => ({ n: json.n * 2 }))', [{ n: 2 }, { n: 4 }]],
    ['return $("A").all()', [{ v: 1 }, { v: 2 }]],
    ['const name = "A"; return $(name).all()', [{ v: 1 }, { v: 2 }]],
    ['return [{ first: $json.n, last: $input.last().json.n }]', [{ first: 1, last: 2 }]],
    ['const wait = async (x) => x; return [{ a: await wait(1) }]', [{ a: 1 }]],
    ['return [{ at: $now.toISO() }]', [{ at: '2026-03-29T00:30:00.000+01:00' }]],
    [
      'return [{ t: [typeof process, typeof module, typeof WebAssembly, typeof queueMicrotask].join() }]',
      [{ t: 'undefined,undefined,undefined,undefined' }],
    ],
  ])('%s', async (source, expected) => {
    const { items } = await run(source);
    expect(items.map(({ json }) => json)).toEqual(expected);
  });

  test('one object that it returns is paired with the first input item', async () => {
    const pairedItem = { item: 0 };
    expect((await run('return { a: 1 }')).items).toEqual([{ json: { a: 1 }, pairedItem }]);
    expect((await run('return { json: { a: 1 } }')).items).toEqual([{ json: { a: 1 }, pairedItem }]);
    expect((await run('return items[1]')).items).toEqual([{ json: { n: 2 }, pairedItem: { item: 1 } }]);
    expect((await run('return [{ a: 1 }]')).items).toEqual([{ json: { a: 1 } }]);
  });

  test('an item with an extra key next to its JSON is rejected, and the error names the key', async () => {
    await expect(run('return [{ json: { a: 1 }, foo: 2 }]')).rejects.toThrow('an item cannot have "foo" next to "json"');
  });

  test('receives and returns text of any characters', async () => {
    const text = `\uFEFFa\0ü€😀\uD83D${'€'.repeat(100_000)}`;
    const { items } = await run(
      'return [{ text: $json.text, codes: [...$json.text].slice(0, 7).map((c) => c.codePointAt(0)) }]',
      'allItems',
      makeScope({ items: itemsOf({ text }) }),
    );
    expect(items[0]?.json).toEqual({ text, codes: [0xfeff, 0x61, 0, 0xfc, 0x20ac, 0x1f600, 0xd83d] });
  });

  test('receives a list that is the JSON of an item', async () => {
    const over = makeScope({ items: [{ json: [{ n: 1 }, { n: 2 }] as never }] });
    const { items } = await run('return items[0].json.map(({ n }) => ({ n: n * 2 }))', 'allItems', over);
    expect(items.map(({ json }) => json)).toEqual([{ n: 2 }, { n: 4 }]);
  });

  test('the default code of Code and Function nodes adds its field', async () => {
    const looping = (items: string) => `for (const item of ${items}) {\n  item.json.myNewField = 1;\n}\n\nreturn ${items};`;
    const expected = [
      { n: 1, myNewField: 1 },
      { n: 2, myNewField: 1 },
    ];
    for (const [source, mode] of [
      [looping('$input.all()'), 'allItems'],
      [looping('items'), 'allItems'],
      ['$input.item.json.myNewField = 1;\n\nreturn $input.item;', 'eachItem'],
      ['item.myNewField = 1;\n\nreturn item;', 'functionItem'],
    ] as const) {
      expect((await run(source, mode)).items.map(({ json }) => json)).toEqual(expected);
    }
  });

  test('changes only its own copy of an item of another node', async () => {
    const shared = itemsOf({ n: 1 });
    const over = makeScope({ items: shared, runs: { A: [{ outputs: [shared] }] } });
    const { items } = await run('items[0].json.n = 9; return [{ other: $("A").first().json.n }]', 'allItems', over);
    expect(items[0]?.json).toEqual({ other: 1 });
  });

  test.each([
    ['return 5', 'not a number'],
    ['', 'not nothing'],
    ['return null', 'not null'],
    ['return [1]', 'not a number'],
    ['return [{ json: 5 }]', 'must be an object, not a number'],
    ['return { json: {}, binary: { f: { id: "made-up" } } }', 'is not a file that the code received'],
    ['return { json: {}, binary: { f: { data: "not base64!" } } }', '"binary.f.data" is not base64'],
  ])('fails with a reason when %j returns no items', async (source, message) => {
    await expect(run(source)).rejects.toMatchObject({ code: 'CODE_ERROR', message: expect.stringContaining(message) });
  });

  test('can pass on a file', async () => {
    const file = { id: 'f1', mimeType: 'text/plain' };
    const over = makeScope({ items: [{ json: {}, binary: { data: file } }] });
    expect((await run('return items', 'allItems', over)).items[0]?.binary).toEqual({ data: file });
    const pairedItem = { item: 0 };
    const { items } = await run('return [{ binary: items[0].binary, pairedItem: { item: 0 } }]', 'allItems', over);
    expect(items).toEqual([{ json: {}, binary: { data: file }, pairedItem }]);
    expect((await run('return [{ binary: { x: 1 }, b: 2 }]')).items[0]?.json).toEqual({ binary: { x: 1 }, b: 2 });
  });
});

describe('a file that code creates', () => {
  const base64 = 'Buffer.from("hi").toString("base64")';

  test.each([
    [`return [{ json: {}, binary: { f: { data: ${base64}, fileName: "a.txt", mimeType: "text/plain", fileSize: "2 B" } } }]`],
    ['return [{ json: {}, binary: { f: await this.helpers.prepareBinaryData(Buffer.from("hi"), "a.txt", "text/plain") } }]'],
    [
      'return [{ json: {}, binary: { f: { data: "data:text/plain;base64,aGk=", fileName: "a.txt", mimeType: "text/plain" } } }]',
    ],
  ])('is returned to be stored: %s', async (source) => {
    const { items, files } = await run(source);
    expect(files).toEqual([
      { target: {}, key: 'f', content: Buffer.from('hi'), description: { fileName: 'a.txt', mimeType: 'text/plain' } },
    ]);
    expect(files?.[0]?.target).toBe(items[0]?.binary);
  });

  test('may replace a file that the code received, and is added to others', async () => {
    const file = { id: 'f1', mimeType: 'text/plain', fileName: 'a.txt' };
    const over = makeScope({ items: [{ json: {}, binary: { data: file, other: file } }] });
    const { items, files } = await run(`items[0].binary.data.data = ${base64}; return items`, 'allItems', over);
    expect(items[0]?.binary).toEqual({ other: file });
    expect(files).toMatchObject([{ key: 'data', description: { fileName: 'a.txt', mimeType: 'text/plain' } }]);
  });

  test('belongs to the item of its run in code for each item', async () => {
    const { items, files } = await run(`return { json: {}, binary: { f: { data: ${base64} } } }`, 'eachItem');
    expect(files?.map(({ target }) => items.findIndex(({ binary }) => binary === target))).toEqual([0, 1]);
  });
});

describe('code for each item', () => {
  test('returns one item per run, linked to its input item', async () => {
    const { items } = await run('return { n: $json.n, same: item.json.n === $input.item.json.n, i: $itemIndex }', 'eachItem');
    expect(items).toEqual([
      { json: { n: 1, same: true, i: 0 }, pairedItem: { item: 0 } },
      { json: { n: 2, same: true, i: 1 }, pairedItem: { item: 1 } },
    ]);
  });

  test.each(['return $itemIndex ? { n: 2 } : null', 'if ($itemIndex) return { n: 2 }'])('omits items: %s', async (source) => {
    expect((await run(source, 'eachItem')).items).toEqual([{ json: { n: 2 }, pairedItem: { item: 1 } }]);
  });

  test('is linked to its input item, regardless of what it returns', async () => {
    const { items } = await run('return { json: {}, pairedItem: 1 }', 'eachItem');
    expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
  });

  test('names the item that it failed on', async () => {
    const source = 'if ($itemIndex === 1) throw new Error("no");\nreturn {}';
    await expect(run(source, 'eachItem')).rejects.toMatchObject({ message: 'no', itemIndex: 1, line: 1 });
    await expect(run('return $itemIndex ? [] : {}', 'eachItem')).rejects.toMatchObject({ itemIndex: 1 });
  });
});

describe('code for each item that continues on failure', () => {
  const going = (source: string, mode: CodeRunRequest['mode'] = 'eachItem', by = sandbox) =>
    by.runCode({ source, mode, scope, continueOnFail: true }, never);

  test('names the items that it failed on and keeps the others', async () => {
    const { items, failures } = await going('if ($itemIndex === 0) throw new Error("no");\nreturn { n: $json.n }');
    expect(items[1]).toEqual({ json: { n: 2 }, pairedItem: { item: 1 } });
    expect([...(failures ?? [])]).toEqual([[0, expect.objectContaining({ message: 'no', itemIndex: 0, line: 1 })]]);
  });

  test('names the item that it failed on after an omitted one', async () => {
    const { items, failures } = await going('if ($itemIndex === 1) throw new Error("no");');
    expect(items).toEqual([{ json: {} }]);
    expect([...(failures ?? [])]).toEqual([[0, expect.objectContaining({ message: 'no', itemIndex: 1 })]]);
  });

  test('treats an invalid item as a failure of that item', async () => {
    const { items, failures } = await going('return index ? 5 : { a: 1 }', 'functionItem');
    expect(items[0]?.json).toEqual({ a: 1 });
    expect([...(failures?.keys() ?? [])]).toEqual([1]);
  });

  test('fails entirely if it cannot continue', async () => {
    await expect(going('if ($itemIndex) while (true) {}\nreturn {}', 'eachItem', hasty)).rejects.toMatchObject({
      code: 'CODE_TIMEOUT',
    });
    await expect(going('return {')).rejects.toMatchObject({ code: 'CODE_ERROR' });
  });
});

describe('code that fails', () => {
  test.each([
    ['const a = 1;\n\nnull.x', 3, 'TypeError'],
    ['const a = 1;\nconst b = ;', 2, 'SyntaxError'],
    ['async function f() {\n  await 0;\n  throw new Error("late")\n}\nawait f()', 3, 'late'],
    ['return $("Missing").all()', 1, 'there is no node "Missing"'],
  ])('names the error and its line: %j', async (source, line, message) => {
    await expect(run(source)).rejects.toMatchObject({ code: 'CODE_ERROR', line, message: expect.stringContaining(message) });
  });

  test.each(['while (true) {}', 'for (;;) await 0', 'try { while (true) {} } catch {} return {}'])(
    'stops in time: %s',
    async (source) => {
      const inHaste = (source: string) => run(source, 'allItems', scope, hasty);
      await expect(inHaste(source)).rejects.toMatchObject({ code: 'CODE_TIMEOUT' });
      expect((await inHaste('return { ok: true }')).items[0]?.json).toEqual({ ok: true });
    },
  );

  test.each([
    ['const a = []; for (;;) a.push(new Array(1e5).fill(0))', 'CODE_MEMORY'],
    ['await new Promise(() => {})', 'CODE_ERROR'],
    ['return import("fs")', 'CODE_ERROR'],
  ])('stops: %s', async (source, code) => {
    await expect(run(source)).rejects.toMatchObject({ code });
    expect((await run('return { ok: true }')).items[0]?.json).toEqual({ ok: true });
  });

  test('names a promise that never resolves', async () => {
    await expect(run('await new Promise(() => {})')).rejects.toThrow('waits for a promise that nothing resolves');
  });
});

describe('the console', () => {
  test('is kept in order, values printed as JSON', async () => {
    const { logs } = await run('console.log("a", 1, { b: [2] }); console.error(new TypeError("t")); return {}');
    expect(logs).toEqual(['a 1 {"b":[2]}', 'TypeError: t']);
  });

  test('is limited', async () => {
    const { logs } = await run('for (let i = 0; i < 5000; i += 1) console.log("x".repeat(1000)); return {}');
    expect(logs.length).toBeLessThanOrEqual(1_000);
    expect(logs.join('').length).toBeLessThanOrEqual(256 * 1024);
  });

  test('of failed code is part of the error', async () => {
    await expect(run('console.log("before"); throw new Error("x")')).rejects.toMatchObject({ logs: ['before'] });
  });
});

test('code that runs only for the first item can read all items in $input', async () => {
  const some = makeScope({ items: itemsOf({ n: 1 }, { n: 2 }, { n: 3 }), itemCount: 1 });
  const jsonOf = async (source: string, mode: CodeRunRequest['mode']) =>
    (await run(source, mode, some)).items.map(({ json }) => json);
  expect(await jsonOf('return [{ taken: items.length, seen: $input.all().length }]', 'allItems')).toEqual([
    { taken: 1, seen: 3 },
  ]);
  expect(await jsonOf('return { n: $json.n, last: $input.last().json.n }', 'eachItem')).toEqual([{ n: 1, last: 3 }]);
});
