import { afterAll, describe, expect, test } from '@jest/globals';
import { itemsOf, makeScope, never } from '../tests/scope-fixture.ts';
import { createSandbox } from './index.ts';

const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 64, threads: 1 });
afterAll(() => sandbox.close());

const scope = makeScope({ items: itemsOf({ s: 'text', n: 1, list: [1] }) });

async function failureOf(source: string): Promise<unknown> {
  const resolved = await sandbox.resolve(sandbox.compile({ p: { q: `={{ ${source} }}` } }), scope, never);
  try {
    return resolved.get('p.q', 0);
  } catch (error) {
    return error;
  }
}

function codeFailureOf(source: string): Promise<unknown> {
  return sandbox.runCode({ source, mode: 'allItems', scope }, never).catch((error: unknown) => error);
}

const hint = (text: string) => expect.stringContaining(text);

describe('the hint for exhausted memory', () => {
  test.each([
    'Array.from({length:5e6},(_, i)=>({i}))',
    "[...'x'.repeat(1e7)].sort(()=>Math.random()-.5).length",
    "Array.from({ length: 3e6 }, (_, i) => ({ i, s: 'x' + i })).length",
  ])('after %s names the setting', async (source) => {
    const expected = { message: expect.stringContaining('out of memory'), description: hint('SANDBOX_MEMORY_MB') };
    expect(await failureOf(source)).toMatchObject(expected);
    expect(await codeFailureOf(`return { x: ${source} }`)).toMatchObject({ ...expected, code: 'CODE_MEMORY' });
  });

  test('after a list of items names the setting', async () => {
    const source = "return Array.from({length:3e6},(_, i)=>({json:{i,s:'xxxxxxxxxx'}}))";
    expect(await codeFailureOf(source)).toMatchObject({ code: 'CODE_MEMORY', description: hint('SANDBOX_MEMORY_MB') });
  });

  test('is absent for a thrown null', async () => {
    expect(await codeFailureOf('throw null')).toMatchObject({ code: 'CODE_ERROR', message: 'null' });
  });
});

describe('hints for authors', () => {
  test('for expressions say where to look', async () => {
    expect(await failureOf('"x".toNumber()')).toMatchObject({ description: hint('"p.q"'), itemIndex: 0 });
  });

  test('for code name the line', async () => {
    expect(await codeFailureOf('const a = 1;\nthrow new Error("no")')).toMatchObject({ description: hint('line 2'), line: 2 });
  });

  test('for code name an output that is too large', async () => {
    const source = 'return Array.from({ length: 20 }, () => ({ s: "x".repeat(1e6) }))';
    expect(await codeFailureOf(source)).toMatchObject({ description: hint('less data') });
  });

  test('for deadlines name the setting', async () => {
    const quick = createSandbox({ timeoutMs: 50, memoryMb: 64, threads: 1 });
    try {
      const resolved = await quick.resolve(quick.compile({ p: '={{ (() => { for (;;); })() }}' }), scope, never);
      expect(() => resolved.get('p', 0)).toThrow(
        expect.objectContaining({ message: hint('took longer'), description: hint('SANDBOX_TIMEOUT_MS') }),
      );
      await expect(quick.runCode({ source: 'for (;;);', mode: 'allItems', scope }, never)).rejects.toMatchObject({
        code: 'CODE_TIMEOUT',
        description: hint('SANDBOX_TIMEOUT_MS'),
      });
    } finally {
      await quick.close();
    }
  });
});

test.each([
  '$json.s.toUpperCase',
  '$json.s.toTitleCase',
  '$json.list.first',
  '$json.s.at(0).trim',
  '$json.list.map',
  '$json.n.toFixed',
  '$now.toISO',
  '$input.all',
])('a method without its call is an error: %s', async (source) => {
  const resolved = await sandbox.resolve(sandbox.compile({ p: `={{ ${source} }}`, q: `=a {{ ${source} }}` }), scope, never);
  for (const path of ['p', 'q']) expect(() => resolved.get(path, 0)).toThrow('this is a function: add ()');
});

test.each([
  ['throw { a: 1 }', '{"a":1}'],
  ['throw [1, { b: 2 }]', '[1,{"b":2}]'],
  ['throw { text: "x".repeat(1e6) }', `{"text":"${'x'.repeat(491)}…`],
])('thrown data is shown up to a maximum length: %s', async (source, message) => {
  expect(await codeFailureOf(source)).toMatchObject({ message });
});

test.each(["Function('return 1')()", "eval('1+1')", 'globalThis.eval("1")', 'new Function("return 1")()'])(
  'expressions cannot compile text to code: %s is rejected',
  async (source) => {
    expect(await failureOf(source)).toMatchObject({ message: hint('is not allowed in expressions') });
  },
);
