import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { eventually } from '@sluice/test-support';
import { startMariaDb } from '@sluice/test-support/servers';
import mysql, { type Connection } from 'mysql2/promise';
import { mySql as mySqlCredential } from '../../src/credentials/my-sql.ts';
import { mySql } from '../../src/nodes/my-sql/my-sql.ts';
import { realPorts } from '../../src/testing/credential-ports.ts';
import { type FakeRun, runForJson } from '../../src/testing/fake-context.ts';
import { describeWith } from './support/describe-with.ts';

const ports = realPorts();
const password = 'correct horse';
const start = () => startMariaDb(password);

afterAll(() => ports.close());

await describeWith('MariaDB', start, ({ host, port }) => {
  const login = { host, port, user: 'ann', password, database: 'shop' };
  let admin: Connection;
  const run = (parameters: JsonObject, { credential = {}, ...more }: FakeRun & { credential?: JsonObject } = {}) =>
    runForJson(mySql, { connect: ports.connect, credentials: { mySql: { ...login, ...credential } }, parameters, ...more });
  const query = (text: string, options: JsonObject = {}, more: FakeRun & { credential?: JsonObject } = {}) =>
    run({ operation: 'executeQuery', query: text, options }, more);
  const people = async () => (await admin.query('SELECT id, name FROM people ORDER BY id'))[0];

  beforeAll(async () => {
    admin = await mysql.createConnection(login);
  });
  beforeEach(async () => {
    await admin.query('DROP TABLE IF EXISTS people');
    await admin.query('CREATE TABLE people (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(99) UNIQUE)');
  });
  afterAll(() => admin.end());

  describe('executeQuery', () => {
    test('sends values separately from the text, regardless of their content', async () => {
      const evil = `' OR 1=1; DROP TABLE people; -- \\`;
      const options = { queryReplacement: ['odd `name', evil, 7, [1, 2, 7]] };
      expect(await query("SELECT $2 AS $1:name, $3 IN ($4:csv) AS found, 'costs $1' AS kept", options)).toEqual([
        { 'odd `name': evil, found: 1, kept: 'costs $1' },
      ]);
      expect(await people()).toEqual([]);
    });

    test('converts types to JSON', async () => {
      const text = `SELECT 9007199254740993 AS big, 5 AS small, 1.5e0 AS real_number, NULL AS none, 'ü' AS text,
        CAST('2026-01-02 03:04:05' AS DATETIME) AS day, JSON_OBJECT('a', 1) AS object`;
      expect(await query(text)).toEqual([
        {
          big: '9007199254740993',
          small: 5,
          real_number: 1.5,
          none: null,
          text: 'ü',
          day: '2026-01-02T03:04:05.000Z',
          object: expect.anything(),
        },
      ]);
      expect(await query(text, { largeNumbersOutput: 'numbers' })).toMatchObject([{ big: 9_007_199_254_740_992 }]);
    });

    test('runs several statements', async () => {
      expect(await query('SELECT 1 AS a; SELECT 2 AS b')).toEqual([{ a: 1 }, { b: 2 }]);
    });

    test("fails with the server's error and its code", async () => {
      await expect(query('SELEC')).rejects.toMatchObject({
        message: expect.stringContaining('SQL syntax'),
        details: { code: 'ER_PARSE_ERROR' },
        itemIndex: 0,
      });
    });

    test('fails on a result that is too large', async () => {
      const text = `SELECT REPEAT('x', 1000000) AS text FROM seq_1_to_70`;
      await expect(query(text)).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE' });
    });
  });

  describe('tables', () => {
    const table = { __rl: true, mode: 'list', value: 'shop.people' };
    const defined = (...values: JsonObject[]) => ({ dataMode: 'defineBelow', valuesToSend: { values } });

    test('insert, skip conflicts, update, and upsert rows', async () => {
      await run({ table, operation: 'insert' }, { json: [{ name: 'Ann' }, { name: 'Bob' }] });
      await run({
        table,
        operation: 'insert',
        options: { skipOnConflict: true },
        ...defined({ column: 'name', value: 'Ann' }),
      });
      const match = { columnToMatchOn: 'id', valueToMatchOn: '2', ...defined({ column: 'name', value: 'Bo' }) };
      await run({ table, operation: 'update', ...match });
      await run(
        { table, operation: 'upsert', columnToMatchOn: 'id' },
        {
          json: [
            { id: 1, name: 'Anne' },
            { id: 9, name: 'Cid' },
          ],
        },
      );
      expect(await people()).toEqual([
        { id: 1, name: 'Anne' },
        { id: 2, name: 'Bo' },
        { id: 9, name: 'Cid' },
      ]);
    });

    test('select and delete rows by conditions', async () => {
      await admin.query("INSERT INTO people (name) VALUES ('Ann'), ('Bob'), ('Cid'), (NULL)");
      const where = {
        values: [
          { column: 'id', condition: '>=', value: '2' },
          { column: 'name', condition: 'IS NOT NULL', value: null },
        ],
      };
      const sort = { values: [{ column: 'name', direction: 'DESC' }] };
      expect(await run({ table, operation: 'select', where, sort, limit: 1 })).toEqual([{ id: 3, name: 'Cid' }]);
      await run({ table, operation: 'deleteTable', deleteCommand: 'delete', where });
      expect(await people()).toEqual([
        { id: 1, name: 'Ann' },
        { id: 4, name: null },
      ]);
      await run({ table, operation: 'deleteTable' });
      expect(await people()).toEqual([]);
      await run({ table, operation: 'deleteTable', deleteCommand: 'drop' });
      await expect(people()).rejects.toThrow("doesn't exist");
    });

    test.each(['single', 'transaction'])('with the batching %s, a failed item rolls back the others', async (queryBatching) => {
      await admin.query("INSERT INTO people (name) VALUES ('Bob')");
      const json = [{ name: 'Ann' }, { name: 'Bob' }, { name: 'Cid' }];
      const inserted = run({ table, operation: 'insert', options: { queryBatching } }, { json });
      await expect(inserted).rejects.toMatchObject({ message: expect.stringContaining('Duplicate entry'), itemIndex: 1 });
      expect(await people()).toMatchObject([{ name: 'Bob' }]);
    });

    test('with independent queries, a failed item does not affect others', async () => {
      const json = [{ name: 'Ann' }, { name: 'Ann' }, { name: 'Cid' }];
      const insert = { table, operation: 'insert', options: { queryBatching: 'independently' } };
      expect(await run(insert, { json, continueOnFail: true })).toEqual([
        { success: true },
        { error: expect.stringContaining('Duplicate entry') },
        { success: true },
      ]);
      expect(await people()).toMatchObject([{ name: 'Ann' }, { name: 'Cid' }]);
    });
  });

  describe('the connection', () => {
    const sleeping = async (client = admin) =>
      (await client.query("SELECT id FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP%'"))[0];

    test('a canceled run cancels its query on the server', async () => {
      const controller = new AbortController();
      const reason = new Error('canceled');
      const running = expect(query('SELECT SLEEP(60)', {}, { signal: controller.signal, continueOnFail: true })).rejects.toBe(
        reason,
      );
      await eventually(async () => expect(await sleeping()).toHaveLength(1));
      controller.abort(reason);
      await running;
      await eventually(async () => expect(await sleeping()).toEqual([]));
    });

    test('a wrong password is refused, and the error does not contain it', async () => {
      const credential = { password: 'wrong one' };
      await expect(query('SELECT 1', {}, { credential })).rejects.toMatchObject({
        message: expect.stringMatching(/^MySQL: Access denied for user 'ann'(?!.*wrong one)/),
        description: expect.stringContaining('Check host'),
      });
      const { signal } = new AbortController();
      expect(await mySqlCredential.test?.(login, ports, signal)).toEqual({ status: 'OK', message: 'the connection works' });
      expect(await mySqlCredential.test?.({ ...login, ...credential }, ports, signal)).toMatchObject({
        status: 'Error',
        message: expect.stringContaining('Access denied'),
      });
    });

    test('a server that disconnects fails the item', async () => {
      const own = await start();
      const running = query('SELECT SLEEP(60)', {}, { credential: { port: own.port } });
      const failed = expect(running).rejects.toMatchObject({
        message: expect.stringMatching(/connection lost/i),
        details: { code: 'PROTOCOL_CONNECTION_LOST' },
      });
      const watcher = await mysql.createConnection({ ...login, port: own.port });
      watcher.on('error', () => {});
      await eventually(async () => {
        expect(await sleeping(watcher)).toHaveLength(1);
      });
      await own.kill();
      await failed;
      watcher.destroy();
      await own.close();
    });
  });
});
