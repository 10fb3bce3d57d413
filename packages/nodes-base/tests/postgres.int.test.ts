import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AppError, type JsonObject } from '@sluice/node-sdk';
import { MemoryBudget } from '@sluice/node-sdk/testing';
import { eventually, longestBusy, watchForLeaks } from '@sluice/test-support';
import { example } from '../src/nodes/postgres/example.ts';
import { postgres } from '../src/nodes/postgres/postgres.ts';
import { type FakeRun, runForJson, runNode } from '../src/testing/fake-context.ts';
import { type PostgresServer, startPostgresServer } from './support/postgres-server.ts';

const leaks = watchForLeaks();
let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgresServer();
});
afterAll(async () => {
  await server.close();
  await leaks();
});
beforeEach(async () => {
  await server.admin.query(`DROP TABLE IF EXISTS people, "odd ""name", kinds CASCADE;
    CREATE TABLE people (id serial PRIMARY KEY, name text NOT NULL, age int, UNIQUE (name))`);
});

const withServer = (run: FakeRun): FakeRun => ({
  connect: server.connect,
  credentials: { postgres: server.credential },
  ...run,
});
const rowsOf = (run: FakeRun) => runForJson(postgres, withServer(run));
const query = (text: string, options: JsonObject = {}, more: FakeRun = {}) =>
  rowsOf({ ...more, parameters: { operation: 'executeQuery', query: text, options } });
const people = async () => (await server.admin.query('SELECT name, age FROM people ORDER BY id')).rows;
const table = { __rl: true, mode: 'list', value: 'people' };
const mapped = (matchingColumns: string[] = []) => ({ mappingMode: 'autoMapInputData', value: null, matchingColumns });

test('the example works', async () => {
  expect(await rowsOf({ parameters: example.parameters, json: example.inputs?.[0] ?? [] })).toEqual(example.outputs?.[0]);
});

test('rows wait for memory while other executions have it', async () => {
  const mib = 1024 * 1024;
  const never = new AbortController().signal;
  const memory = new MemoryBudget({ limit: 100 * mib, inUse: () => 1 });
  const other = memory.open(never);
  other.retain(39 * mib);
  const share = memory.open(never);
  let rows: JsonObject[] = [];
  const reading = share.run(async () => {
    rows = await query("SELECT repeat('x', 100000) AS text FROM generate_series(1, 80)");
  });
  await eventually(() => expect(memory.isExceeded).toBe(true));
  expect(share.size).toBeLessThan(3 * mib);
  expect(rows).toHaveLength(0);
  other[Symbol.dispose]();
  await reading;
  expect(rows).toHaveLength(80);
});

describe('executeQuery', () => {
  test('binds values: user input is never SQL', async () => {
    const evil = `'); DROP TABLE people; --`;
    const [row] = await query('INSERT INTO people (name, age) VALUES ($1, $2) RETURNING name, age', {
      queryReplacement: [evil, 5],
    });
    expect(row).toEqual({ name: evil, age: 5 });
    expect(await people()).toHaveLength(1);
  });

  test('splits one string at its commas if the query has several values', async () => {
    expect(await query('SELECT $1::text AS a, $2::int AS b', { queryReplacement: 'x, 5' })).toEqual([{ a: 'x', b: 5 }]);
    expect(await query('SELECT $1::text AS a', { queryReplacement: 'Doe, John' })).toEqual([{ a: 'Doe, John' }]);
  });

  test('quotes names, expands lists, and writes JSON', async () => {
    await server.admin.query(`CREATE TABLE "odd ""name" (v int); INSERT INTO "odd ""name" VALUES (1), (2), (3)`);
    const values = ['odd "name', [1, 3], { a: [1] }];
    expect(await query('SELECT v, $3:json::jsonb AS j FROM $1:name WHERE v IN ($2:csv)', { queryReplacement: values })).toEqual(
      [
        { v: 1, j: { a: [1] } },
        { v: 3, j: { a: [1] } },
      ],
    );
  });

  test('refuses modifiers that would write a value into the text', async () => {
    await expect(query('SELECT $1:raw', { queryReplacement: ['1'] })).rejects.toMatchObject({
      code: 'NOT_SUPPORTED',
      itemIndex: 0,
    });
  });

  test('keeps strings, comments, and quoted names, but removes the quotes around a lone placeholder', async () => {
    const text = `SELECT 'a $1' AS a, '$1' AS b, $$ $1; $$ AS c, E'\\' $1' AS d /* $9 ; */ -- $9`;
    expect(await query(text, { queryReplacement: ['x'] })).toEqual([{ a: 'a $1', b: 'x', c: ' $1; ', d: "' $1" }]);
    const asText = { queryReplacement: ['x'], treatQueryParametersInSingleQuotesAsText: true };
    expect(await query(`SELECT '$1' AS b, $1::text AS c`, asText)).toEqual([{ b: '$1', c: 'x' }]);
  });

  test('one value may be used with different types', async () => {
    expect(await query('SELECT $1::int AS a, $1::text AS b', { queryReplacement: ['7'] })).toEqual([{ a: 7, b: '7' }]);
  });

  test('runs several statements, with values or without', async () => {
    expect(await query('SELECT 1 AS a; SELECT 2 AS a')).toEqual([{ a: 1 }, { a: 2 }]);
    expect(await query('SELECT $1::int AS a; SELECT $2::int AS a;', { queryReplacement: [1, 2] })).toEqual([
      { a: 1 },
      { a: 2 },
    ]);
  });

  test('reports a missing value', async () => {
    await expect(query('SELECT $3', { queryReplacement: ['a', 'b'] })).rejects.toThrow(
      'the query has a $3, but there are only 2 query parameters',
    );
  });

  test('replaceEmptyStrings writes null', async () => {
    expect(await query('SELECT $1::text AS a', { queryReplacement: [''], replaceEmptyStrings: true })).toEqual([{ a: null }]);
  });

  test('statements without rows report success: for each item from 2.3, once before', async () => {
    const run = (typeVersion: number) => query('UPDATE people SET age = 1', {}, { typeVersion, json: [{}, {}] });
    expect(await run(2.6)).toEqual([{ success: true }, { success: true }]);
    expect(await run(2.2)).toEqual([{ success: true }]);
  });

  test('an error contains the server’s message and hint, and the item', async () => {
    await expect(query('SELECT nme FROM people')).rejects.toMatchObject({
      message: 'column "nme" does not exist',
      description: expect.stringContaining('people.name'),
      details: { code: '42703' },
      itemIndex: 0,
    });
    await expect(query('SELEC 1')).rejects.toMatchObject({ message: 'syntax error at or near "SELEC"' });
  });
});

describe('values', () => {
  test('are returned as JSON: timestamps in UTC, large numbers as text, bytes in base64', async () => {
    const [row] =
      await query(`SELECT 9007199254740993::bigint AS big, 1.10::numeric AS exact, 1.5::float8 AS float, 'NaN'::float8 AS nan,
      '2026-03-01 10:00:00.123+02'::timestamptz AS at, '2026-03-01 10:00'::timestamp AS local, '2026-03-01'::date AS day,
      'infinity'::timestamptz AS never, '\\x0102'::bytea AS bytes, '{"a":[1,null]}'::jsonb AS json, ARRAY[1,2] AS list, true AS yes,
      NULL AS nothing, interval '1 day 2 hours' AS span, 1 AS "__proto__"`);
    expect(JSON.parse(JSON.stringify(row))).toEqual(
      JSON.parse(`{"big": "9007199254740993", "exact": "1.10", "float": 1.5, "nan": "NaN", "at": "2026-03-01T08:00:00.123Z",
        "local": "2026-03-01T10:00:00.000Z", "day": "2026-03-01T00:00:00.000Z", "never": "infinity", "bytes": "AQI=",
        "json": {"a": [1, null]}, "list": [1, 2], "yes": true, "nothing": null, "span": {"days": 1, "hours": 2}, "__proto__": 1}`),
    );
  });

  test('large numbers are numbers with the option', async () => {
    expect(await query('SELECT 5::bigint AS a, 1.10::numeric AS b', { largeNumbersOutput: 'numbers' })).toEqual([
      { a: 5, b: 1.1 },
    ]);
  });

  test('a list is written to JSON and array columns', async () => {
    await server.admin.query('CREATE TABLE kinds (j jsonb, a int[])');
    const json = [{ j: [1, 'x'], a: [1, 2] }];
    const parameters = { operation: 'insert', table: 'kinds', columns: mapped() };
    expect(await rowsOf({ parameters, json })).toEqual(json);
  });
});

describe('insert', () => {
  const insert = (options: JsonObject, run: FakeRun) =>
    rowsOf({ ...run, parameters: { operation: 'insert', table, columns: mapped(), options } });

  test('reads the columns from a mapper, or from fields before 2.2', async () => {
    const columns = { mappingMode: 'defineBelow', value: { name: 'Ann', age: 3 }, matchingColumns: [] };
    expect(await rowsOf({ parameters: { operation: 'insert', table, columns } })).toEqual([{ id: 1, name: 'Ann', age: 3 }]);
    const values = [{ column: 'name', value: 'Bob' }];
    const parameters = { operation: 'insert', table, dataMode: 'defineBelow', valuesToSend: { values } };
    expect(await rowsOf({ typeVersion: 2.1, parameters })).toEqual([{ id: 2, name: 'Bob', age: null }]);
    const first = { operation: 'insert', schema: 'public', table: 'people', columns: 'name, age', returnFields: 'name' };
    expect(await rowsOf({ typeVersion: 1, parameters: first, json: [{ name: 'Cid', more: 1 }] })).toEqual([{ name: 'Cid' }]);
  });

  test('returns the selected columns', async () => {
    expect(await insert({ outputColumns: ['name'] }, { json: [{ name: 'Ann' }] })).toEqual([{ name: 'Ann' }]);
  });

  test('writes all items or none, unless items are independent', async () => {
    const json = [{ name: 'Ann' }, { name: null }, { name: 'Cid' }];
    await expect(insert({}, { json })).rejects.toMatchObject({ itemIndex: 1, message: expect.stringContaining('null value') });
    expect(await people()).toEqual([]);
    const failed = await insert({}, { json, continueOnFail: true });
    expect(failed).toEqual(json.map(() => ({ error: expect.stringContaining('null value') })));
    expect(await people()).toEqual([]);
    const output = await insert({ queryBatching: 'independently' }, { json, continueOnFail: true });
    expect(output.map(({ name, error }) => name ?? error)).toEqual(['Ann', expect.stringContaining('null value'), 'Cid']);
    expect(await people()).toHaveLength(2);
  });

  test('skipOnConflict keeps an existing row', async () => {
    await server.admin.query(`INSERT INTO people (name, age) VALUES ('Ann', 1)`);
    expect(await insert({ skipOnConflict: true }, { json: [{ name: 'Ann', age: 2 }] })).toEqual([{ success: true }]);
    expect(await people()).toEqual([{ name: 'Ann', age: 1 }]);
  });

  test('items are paired with their sources', async () => {
    const parameters = { operation: 'insert', table, columns: mapped() };
    const [items] = await runNode(postgres, withServer({ parameters, json: [{ name: 'Ann' }, { name: 'Bob' }] }));
    expect(items?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
  });

  test('a column name is always quoted', async () => {
    const json = [{ 'name") VALUES (1); --': 1 }];
    await expect(insert({}, { json })).rejects.toThrow(
      /^column "name"\) VALUES \(1\); --" of relation "people" does not exist$/,
    );
  });
});

describe('update and upsert', () => {
  beforeEach(() => server.admin.query(`INSERT INTO people (name, age) VALUES ('Ann', 1), ('Bob', 2)`));

  test('match rows by columns', async () => {
    const run = (operation: string, json: JsonObject[]) =>
      rowsOf({ parameters: { operation, table, columns: mapped(['name']) }, json });
    expect(await run('update', [{ name: 'Ann', age: 10 }])).toEqual([{ id: 1, name: 'Ann', age: 10 }]);
    expect(await run('update', [{ name: 'Nobody', age: 10 }])).toEqual([{ success: true }]);
    const rows = await run('upsert', [
      { name: 'Bob', age: 20 },
      { name: 'Cid', age: 30 },
    ]);
    expect(rows.map(({ name, age }) => [name, age])).toEqual([
      ['Bob', 20],
      ['Cid', 30],
    ]);
    expect(await people()).toHaveLength(3);
  });

  test('before 2.2, one column matches the row', async () => {
    const fields = { dataMode: 'defineBelow', columnToMatchOn: 'name', valueToMatchOn: 'Bob' };
    const valuesToSend = { values: [{ column: 'age', value: 21 }] };
    const parameters = { operation: 'update', table, ...fields, valuesToSend };
    expect(await rowsOf({ typeVersion: 2, parameters })).toEqual([{ id: 2, name: 'Bob', age: 21 }]);
    const upsert = { operation: 'upsert', table, dataMode: 'autoMapInputData', columnToMatchOn: 'name' };
    expect(await rowsOf({ typeVersion: 2.1, parameters: upsert, json: [{ name: 'Ann', age: 11 }] })).toEqual([
      { id: 1, name: 'Ann', age: 11 },
    ]);
    const first = {
      operation: 'update',
      schema: 'public',
      table: 'people',
      updateKey: 'id',
      columns: 'age',
      returnFields: '*',
    };
    expect(await rowsOf({ typeVersion: 1, parameters: first, json: [{ id: 1, age: 12 }] })).toEqual([
      { id: 1, name: 'Ann', age: 12 },
    ]);
  });

  test('missing match values are an error before anything is written', async () => {
    const run = (columns: JsonObject) => rowsOf({ parameters: { operation: 'update', table, columns }, json: [{ age: 1 }] });
    await expect(run(mapped())).rejects.toThrow('no column to match on was chosen');
    await expect(run(mapped(['name']))).rejects.toThrow('the column to match on, "name", has no value');
  });
});

describe('select and deleteTable', () => {
  beforeEach(() => server.admin.query(`INSERT INTO people (name, age) VALUES ('Ann', 1), ('Bob', 2), ('Cid', NULL)`));
  const names = async (parameters: JsonObject) =>
    (await rowsOf({ parameters: { operation: 'select', table, ...parameters } })).map(({ name }) => name);
  const where = (...values: JsonObject[]) => ({ where: { values } });

  test('filter, sort, and limit rows', async () => {
    expect(await names({ returnAll: true, sort: { values: [{ column: 'name', direction: 'DESC' }] } })).toEqual([
      'Cid',
      'Bob',
      'Ann',
    ]);
    expect(await names({ limit: 1, sort: { values: [{ column: 'id' }] } })).toEqual(['Ann']);
    expect(await names(where({ column: 'age', condition: 'IS NULL' }))).toEqual(['Cid']);
    const ends = where({ column: 'age', condition: '>', value: '1' }, { column: 'name', condition: 'LIKE', value: 'A%' });
    expect(await names({ ...ends, combineConditions: 'OR', sort: { values: [{ column: 'id' }] } })).toEqual(['Ann', 'Bob']);
    expect(await names(where({ column: 'name', value: 'nobody' }))).toEqual([]);
    await expect(names(where({ column: 'name', condition: '= name OR 1 =', value: 1 }))).rejects.toThrow(
      'is not a known condition',
    );
  });

  test('remove some rows, all rows, or the table', async () => {
    const run = (parameters: JsonObject) => rowsOf({ parameters: { operation: 'deleteTable', table, ...parameters } });
    expect(await run({ deleteCommand: 'delete', ...where({ column: 'age', value: 1 }) })).toEqual([{ success: true }]);
    expect(await people()).toHaveLength(2);
    await run({ deleteCommand: 'truncate', restartSequences: true });
    await server.admin.query(`INSERT INTO people (name) VALUES ('New')`);
    expect((await server.admin.query('SELECT id FROM people')).rows).toEqual([{ id: 1 }]);
    await run({ deleteCommand: 'drop', options: { cascade: true } });
    await expect(people()).rejects.toThrow('does not exist');
  });
});

describe('the connection', () => {
  const pids = async (text: string) =>
    (await server.admin.query('SELECT pid FROM pg_stat_activity WHERE query LIKE $1 AND state = $2', [text, 'active'])).rows;

  test('a canceled run cancels its query on the server', async () => {
    const controller = new AbortController();
    const reason = new Error('canceled');
    const running = query('SELECT pg_sleep(60) AS canceled_here', {}, { signal: controller.signal, continueOnFail: true });
    const ended = expect(running).rejects.toBe(reason);
    await eventually(async () => expect(await pids('%pg_sleep(60) AS canceled_here%')).toHaveLength(1));
    controller.abort(reason);
    await ended;
    await eventually(async () => expect(await pids('%pg_sleep(60) AS canceled_here%')).toHaveLength(0));
  });

  test('a result that is too large is an error', async () => {
    const large = query(`SELECT repeat('x', 1000000) AS text FROM generate_series(1, 10000)`);
    await expect(large).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE', message: 'the result is larger than 64 MiB' });
  });

  test('a long JSON value is read without blocking the event loop', async () => {
    const json = `'[' || repeat('{},', 3000000) || '{}]'`;
    let rows: JsonObject[] = [];
    const busy = await longestBusy(async () => {
      rows = await query(`SELECT (${json})::json AS list, '{"a":1}'::jsonb AS short`);
    });
    expect(rows).toMatchObject([{ short: { a: 1 } }]);
    expect(rows[0]?.['list']).toHaveLength(3_000_001);
    expect(busy).toBeLessThan(250);
  });

  test('too many small rows are an error before they fill the memory', async () => {
    await expect(query('SELECT 1 AS a FROM generate_series(1, 1100000)')).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE' });
  });

  test('wrong credentials and an unreachable host have different errors without secrets', async () => {
    const wrong = { ...server.credential, user: 'nobody_here', password: 'wrong one' };
    const refused = rowsOf({ parameters: { operation: 'executeQuery', query: 'SELECT 1' }, credentials: { postgres: wrong } });
    const error = await refused.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({
      message: expect.stringContaining('nobody_here'),
      description: expect.stringContaining('Check host'),
    });
    expect(String(error)).not.toContain('wrong one');
    const connectToNothing = () =>
      Promise.reject(new AppError({ code: 'CONNECTION_FAILED', message: 'no connection: the connection was refused' }));
    const run = { parameters: { operation: 'executeQuery', query: 'SELECT 1' }, connect: connectToNothing };
    await expect(rowsOf(run)).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(await rowsOf({ ...run, json: [{}, {}], continueOnFail: true })).toHaveLength(2);
  });
});
