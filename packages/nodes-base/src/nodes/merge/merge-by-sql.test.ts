import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import type { Item, JsonObject, JsonValue, NodeType } from '@sluice/node-sdk';
import { baseNodeTypes } from '../../base-node-types.ts';
import { type FakeRun, runForJson, runNode } from '../../testing/fake-context.ts';
import { wallTimeFactor } from '../../threads/task-timer.ts';
import { merge } from './merge.ts';

/** Runs each query on a separate thread, as in production. */
const shipped = baseNodeTypes.find(({ description }) => description.name === 'merge') as NodeType;

const people: JsonObject[] = [
  { id: 1, name: 'Ada', ok: true, tags: { x: 1 }, none: null },
  { id: 2, name: 'Ben', ok: false },
];
const orders: JsonObject[] = [
  { id: 1, sum: 5 },
  { id: 1, sum: 7 },
  { id: 3, sum: 1 },
];
const asItems = (list: JsonObject[]): Item[] => list.map((json) => ({ json }));
const runOf = (query: JsonValue, options: JsonObject = {}, inputs = [people, orders]): FakeRun => ({
  parameters: { mode: 'combineBySql', query, options },
  inputs: inputs.map(asItems),
  typeVersion: 3.2,
});
const rows = (query: JsonValue, options?: JsonObject, inputs?: JsonObject[][]) =>
  runForJson(merge, runOf(query, options, inputs));
const rowsShipped = (query: JsonValue) => runForJson(shipped, runOf(query));
const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) SELECT count(*) FROM c';

test('a query returns the same result on a thread and on the event loop', async () => {
  const query = 'SELECT p.name, o.sum FROM input1 p JOIN input2 o USING (id) ORDER BY o.sum';
  const expected = [
    { name: 'Ada', sum: 5 },
    { name: 'Ada', sum: 7 },
  ];
  expect(await rows(query)).toEqual(expected);
  expect(await rowsShipped(query)).toEqual(expected);
  await expect(rowsShipped('SELEC')).rejects.toThrow('syntax error');
});

test('the default query runs if the workflow contains no query', async () => {
  const { parameters, ...rest } = runOf('', {}, [[{ name: 'x' }], [{ id: 'x', n: 1 }]]);
  const { query: _, ...others } = parameters as JsonObject;
  expect(await runForJson(merge, { ...rest, parameters: others })).toEqual([{ name: 'x', id: 'x', n: 1 }]);
});

test('a missing field is null, regardless of its name', async () => {
  const named = JSON.parse('{"constructor": "Ferrari", "__proto__": "p", "toString": 1}') as JsonObject;
  const lacking = JSON.parse('{"constructor": null, "__proto__": null, "toString": null}') as JsonObject;
  expect(await rows('SELECT * FROM input1', {}, [[named, {}], []])).toEqual([named, lacking]);
});

describe('a query over the inputs', () => {
  test.each<[string, JsonObject[]]>([
    ['SELECT name FROM input1 ORDER BY id DESC', [{ name: 'Ben' }, { name: 'Ada' }]],
    ['SELECT p.name, SUM(o.sum) AS total FROM input1 p JOIN input2 o USING (id) GROUP BY p.id', [{ name: 'Ada', total: 12 }]],
    ['SELECT COUNT(*) FROM input2', [{ 'COUNT(*)': 3 }]],
    ['SELECT id FROM input1 UNION SELECT id FROM input2', [{ id: 1 }, { id: 2 }, { id: 3 }]],
    ["SELECT 1 AS a; -- first; not a statement\nSELECT ';' AS b", [{ a: 1 }, { b: ';' }]],
    ['SELECT name AS [n m], `name` AS "q" FROM input1 LIMIT 1', [{ 'n m': 'Ada', q: 'Ada' }]],
    ["SELECT name FROM input1 WHERE id = '2'", [{ name: 'Ben' }]],
    ['SELECT 1 AS __proto__, 2 AS "constructor"', [JSON.parse('{"__proto__": 1, "constructor": 2}') as JsonObject]],
  ])('%s', async (query, expected) => {
    expect(await rows(query)).toEqual(expected);
  });

  test('returns booleans and nested values unchanged, and null for missing fields', async () => {
    expect(await rows('SELECT *, ok + 0 AS number FROM input1')).toEqual([
      { id: 1, name: 'Ada', ok: true, tags: { x: 1 }, none: null, number: 1 },
      { id: 2, name: 'Ben', ok: false, tags: null, none: null, number: 0 },
    ]);
    expect(await rows("SELECT json_extract(tags, '$.x') AS x FROM input1 WHERE ok")).toEqual([{ x: 1 }]);
  });

  test('keeps a match’s value if a later column of the same name is null', async () => {
    expect(await rows('SELECT * FROM input1 LEFT JOIN input2 ON input1.id = input2.id WHERE input1.id = 2')).toMatchObject([
      { id: 2, sum: null },
    ]);
  });

  test('distinguishes values of different types in one column', async () => {
    const mixed = [{ v: 1 }, { v: '1' }, { v: '01' }, { v: null }, { v: 'x' }];
    expect(await rows('SELECT v FROM input1', {}, [mixed, []])).toEqual(mixed);
  });

  test('reads an input without items as an empty table with the requested columns', async () => {
    const query = 'SELECT p.name, o.sum FROM input1 p LEFT JOIN input2 o ON p.id = o.id';
    expect(await rows(query, {}, [people, []])).toEqual([
      { name: 'Ada', sum: null },
      { name: 'Ben', sum: null },
    ]);
  });

  test.each<[number, JsonObject, JsonObject[]]>([
    [3, {}, [{ success: true }]],
    [3.1, {}, [{ success: true }]],
    [3.2, {}, []],
    [3.2, { emptyQueryResult: 'success' }, [{ success: true }]],
  ])('without rows returns in version %d with %j: %j', async (typeVersion, options, expected) => {
    const run = runOf('SELECT * FROM input1 WHERE id > 5', options);
    expect(await runForJson(merge, { ...run, typeVersion })).toEqual(expected);
  });

  test('pairs each row with its source items, and before version 3.1 with all items', async () => {
    const join = runOf('SELECT p.name, sum FROM input1 AS p JOIN input2 ON p.id = input2.id WHERE sum > 5');
    const [traced] = await runNode(merge, join);
    expect(traced).toEqual([
      {
        json: { name: 'Ada', sum: 7 },
        pairedItem: [
          { item: 0, input: 0 },
          { item: 1, input: 1 },
        ],
      },
    ]);
    const [counted] = await runNode(merge, runOf('SELECT count(*) AS n FROM input2'));
    expect(counted).toEqual([{ json: { n: 3 } }]);
    const [all] = await runNode(merge, { ...join, typeVersion: 3 });
    expect(all?.[0]?.pairedItem).toHaveLength(5);
  });
});

describe('values in a query', () => {
  const hostile = "x' OR 1=1 --";

  test('item text never becomes SQL', async () => {
    expect(await rows(['SELECT * FROM input1 WHERE name = ', hostile, ''])).toEqual([]);
    expect(await rows(["SELECT * FROM input1 WHERE name = '", hostile, "'"])).toEqual([]);
    expect(await rows(['SELECT * FROM input1 WHERE name = "', `x" OR 1=1 --`, '"'])).toEqual([]);
    expect(await rows(["SELECT '<", hostile, ">' AS v /* ", '*/ , 2 AS w', ' */'])).toEqual([{ v: `<${hostile}>` }]);
    expect(await rows('SELECT name FROM input1 WHERE name = ?', { queryParameters: [hostile] })).toEqual([]);
    await expect(rows(['SELECT nope, ', 1, ' FROM input1'])).rejects.toMatchObject({
      description: expect.stringContaining('is a value, never a name'),
    });
  });

  test.each([
    [['SELECT * FROM ', 'input2', '']],
    [['SELECT * FROM input', 2, '']],
    [['SELECT input1.', 'name', ' FROM input1']],
    [['SELECT [', 'name', '] FROM input1']],
    [['SELECT name AS ', 'n', ' FROM input1']],
    [['SELECT name FROM input1 ORDER BY ', 'name', '']],
    [['SELECT name FROM input1 ORDER BY name ', 'DESC', '']],
  ])('%j is refused, since an expression is not a name', async (query) => {
    await expect(rows(query)).rejects.toThrow('it cannot give the name of a column or table');
  });

  test('expressions, numbers, and parameters are bound in order', async () => {
    const query = ['SELECT ? AS a, ', 7, " AS b, '?' AS c, ? AS d, ", '007', ' AS e'];
    expect(await rows(query, { queryParameters: '1,two' })).toEqual([{ a: 1, b: 7, c: '?', d: 'two', e: '007' }]);
    await expect(rows('SELECT ?')).rejects.toThrow('placeholder 1, but only 0 query parameters');
  });

  test('a query that is a single expression is SQL', async () => {
    expect(await rows(['', 'SELECT 1 AS a', ''])).toEqual([{ a: 1 }]);
  });
});

describe('a query that fails', () => {
  test.each([
    ['SELEC', 'syntax error'],
    ['SELECT nope FROM input1', 'no such column: nope'],
    ['SELECT * FROM input3', 'no such table: input3'],
    ["UPDATE input1 SET name = 'x'", 'syntax error'],
    ['DROP TABLE input1', 'syntax error'],
    ['WITH c AS (SELECT 1) INSERT INTO input1 (id) SELECT 1', 'syntax error'],
    ['PRAGMA hard_heap_limit = 0', 'syntax error'],
    ['', '"query"'],
    ['  ', '"query"'],
  ])('%j is reported with the reason', async (query, message) => {
    await expect(rows(query)).rejects.toMatchObject({
      message: expect.stringContaining(message),
      description: expect.any(String),
    });
  });

  test('fields that differ only in case are an error', async () => {
    await expect(rows('SELECT 1', {}, [[{ Id: 1, id: 2 }], []])).rejects.toThrow('input1 has the fields "Id" and "id"');
  });
});

describe('a hostile query', () => {
  test.each([
    "ATTACH '/etc/passwd' AS x",
    "VACUUM INTO '/tmp/sluice-sql-escape.db'",
    "SELECT load_extension('/tmp/x.so')",
    "SELECT readfile('/etc/passwd')",
    "SELECT writefile('/tmp/sluice-sql-escape.db', 'x')",
  ])('%s cannot access files', async (query) => {
    await expect(rowsShipped(query)).rejects.toThrow('the query failed');
    expect(existsSync('/tmp/sluice-sql-escape.db')).toBe(false);
  });

  test.each([
    'WITH RECURSIVE c(x) AS (SELECT zeroblob(1000000) UNION ALL SELECT x || x FROM c) SELECT count(*) FROM c ORDER BY 1',
    'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT hex(randomblob(1000)) AS x FROM c ORDER BY x',
    'SELECT length(hex(zeroblob(500000000)))',
  ])('%s ends at the memory limit', async (query) => {
    await expect(rowsShipped(query)).rejects.toThrow(/more memory than it may use|string or blob too big/);
  });

  test('ends if it returns too many or too large rows', async () => {
    const many = (row: string) => `WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT ${row} FROM c`;
    await expect(rowsShipped(many("printf('%1000000s', 'x') AS t"))).rejects.toThrow('more than 64 MiB of rows');
  });

  test('an endless query ends at the deadline without blocking the event loop', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'performance', 'setImmediate', 'clearImmediate'] });
    try {
      const failure = expect(rowsShipped(endless)).rejects.toThrow('it takes more than 10000 ms');
      // In real time, which limits the query.
      for (let ticks = 0; ticks < 20; ticks++) await delay(50);
      jest.advanceTimersByTime(10_000 * wallTimeFactor);
      await failure;
    } finally {
      jest.useRealTimers();
    }
  });

  test('an endless query ends with its execution', async () => {
    const canceling = new AbortController();
    const running = runNode(shipped, { ...runOf(endless), signal: canceling.signal });
    setTimeout(() => canceling.abort(new Error('canceled')), 500);
    await expect(running).rejects.toThrow('canceled');
  });
});
