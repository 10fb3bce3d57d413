import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals';
import { AppError, type JsonObject } from '@sluice/node-sdk';
import { realPorts } from '../../testing/credential-ports.ts';
import { type FakeRun, runForJson } from '../../testing/fake-context.ts';
import { type MySqlResult, type MySqlServer, mySqlServer, type ReceivedStatement } from '../../testing/my-sql-server.ts';
import { example } from './example.ts';
import { mySql } from './my-sql.ts';

const ports = realPorts();
const changed: MySqlResult = { affectedRows: 1, insertId: 5 };
let server: MySqlServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});
afterAll(() => ports.close());

/**
 * Runs the node against a server with these replies; returns the output and the received
 * statements.
 */
async function run(
  answer: MySqlResult | ((statement: ReceivedStatement) => MySqlResult),
  parameters: JsonObject,
  more: FakeRun = {},
) {
  server = await mySqlServer(typeof answer === 'function' ? answer : () => answer);
  const credentials = { mySql: { host: '127.0.0.1', port: server.port, user: 'ann', password: 'secret' } };
  const json = await runForJson(mySql, { connect: ports.connect, credentials, parameters, ...more });
  return { json, received: server.received };
}

test('the example works', async () => {
  const parameters = { ...example.parameters, options: { queryReplacement: 'Ann' } };
  const { json } = await run({ columns: ['id', 'name'], rows: [[1, 'Ann']] }, parameters, { json: example.inputs?.[0] ?? [] });
  expect(json).toEqual(example.outputs?.[0]);
});

describe('executeQuery', () => {
  const query = (text: string, options: JsonObject = {}) => ({ operation: 'executeQuery', query: text, options });

  test('sends values separately from the text, regardless of their content', async () => {
    const evil = `' OR 1=1; -- `;
    const options = { queryReplacement: ['odd `name', evil, 7, [1, 2]] };
    const { received } = await run(changed, query('UPDATE $1:name SET a = $2, b = $3 WHERE c IN ($4:csv)', options));
    expect(received).toEqual([{ sql: 'UPDATE `odd ``name` SET a = ?, b = ? WHERE c IN (?, ?)', values: [evil, 7, 1, 2] }]);
  });

  test('does not change strings, names, and comments', async () => {
    const text = "SELECT 'it\\'s $1', \"$1\", `$1`, $1 # $2\n-- $3\n/* $4 */";
    const { received } = await run(changed, query(text, { queryReplacement: 'x' }));
    expect(received).toEqual([{ sql: text.replace(', $1 #', ', ? #'), values: ['x'] }]);
  });

  test('evaluates the query’s braces without a leading "="', () => {
    expect(mySql.description.properties.find(({ name }) => name === 'query')).toMatchObject({ isTemplate: true });
  });

  test('a query without values is sent unchanged, with all its statements', async () => {
    const { received, json } = await run({ columns: ['n', 'none'], rows: [[1, null]] }, query('SELECT 1; SELECT 2'));
    expect(received).toEqual([{ sql: 'SELECT 1; SELECT 2' }]);
    expect(json).toEqual([{ n: 1, none: null }]);
  });

  const [json, geometry, varString] = [245, 255, 253];

  test.each([[], ['x']])('long JSON is read in time slices, with the values of short JSON (values: %s)', async (...values) => {
    const keys = Array.from({ length: 90_000 }, (_, index) => `"k${index}": 9007199254740993`);
    const long = `{${keys.join(',')}, "n": [1.5, -3, "9", null]}`;
    const short = '{"big": 9007199254740993, "n": 1}';
    const answer: MySqlResult = {
      columns: ['long', 'short', 'text', 'none'],
      types: [json, json, varString, json],
      rows: [
        [long, short, short, null],
        ['{"k7": 1}', short, short, null],
      ],
    };
    const parsing = jest.spyOn(JSON, 'parse');
    const sql = values.length > 0 ? 'SELECT $1' : 'SELECT';
    const [row, next] = (await run(answer, query(sql, { queryReplacement: values }))).json as JsonObject[];
    const longest = Math.max(...parsing.mock.calls.map(([text]) => String(text).length));
    parsing.mockRestore();
    expect(longest).toBeLessThan(128 * 1024);
    expect(Object.keys(row ?? {})).toEqual(['long', 'short', 'text', 'none']);
    expect(next).toEqual({ long: { k7: 1 }, short: { big: '9007199254740993', n: 1 }, text: short, none: null });
    expect(row).toMatchObject({ short: { big: '9007199254740993', n: 1 }, text: short, none: null });
    expect(Object.keys(row?.['long'] as JsonObject)).toHaveLength(90_001);
    expect(row?.['long']).toMatchObject({ k7: '9007199254740993', n: [1.5, -3, '9', null] });
  });

  test('the error for a geometry of more than 1 MiB contains the column name', async () => {
    const answer: MySqlResult = { columns: ['id', 'area'], types: [varString, geometry], rows: [['1', 'a'.repeat(1_100_000)]] };
    await expect(run(answer, query('SELECT'))).rejects.toThrow('The value of the column "area" is too long for its type');
  });

  test('unsafe integers are returned as text, unless numbers are requested', async () => {
    const rows = [
      ['9007199254740993', 5],
      [1, 5],
    ];
    const asInteger = (): MySqlResult => ({ columns: ['big', 'small'], rows });
    expect((await run(asInteger, query('SELECT'))).json[0]).toEqual({ big: '9007199254740993', small: 5 });
    await server?.close();
    expect((await run(asInteger, query('SELECT', { largeNumbersOutput: 'numbers' }))).json[0]).toEqual({
      big: 9007199254740992,
      small: 5,
    });
  });

  test('statements without rows return success, or the server’s counts with details', async () => {
    expect((await run(changed, query('UPDATE t SET a = 1'))).json).toEqual([{ success: true }]);
    await server?.close();
    const { json } = await run(changed, query('UPDATE t SET a = 1', { detailedOutput: true }));
    expect(json).toEqual([{ fieldCount: 0, affectedRows: 1, insertId: 5, info: '', warningStatus: 0 }]);
  });

  test('an error is the server’s, with its code and the item', async () => {
    await expect(run({ error: 'You have an error', code: 1064 }, query('SELEC'))).rejects.toMatchObject({
      message: 'You have an error',
      details: { code: 'ER_PARSE_ERROR' },
      itemIndex: 0,
    });
  });

  test('a result that is too large is an error', async () => {
    const rows = Array.from({ length: 70 }, () => ['x'.repeat(1_000_000)]);
    await expect(run({ columns: ['text'], rows }, query('SELECT'))).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE' });
  });
});

describe('tables', () => {
  const table = { __rl: true, mode: 'list', value: 'shop.people' };
  const defined = (...values: JsonObject[]) => ({ dataMode: 'defineBelow', valuesToSend: { values } });
  const statementsOf = async (parameters: JsonObject, more: FakeRun = {}) =>
    (await run(changed, { table, ...parameters }, more)).received;

  test('insert writes the item’s fields or other values', async () => {
    const options = { skipOnConflict: true, priority: 'LOW_PRIORITY', replaceEmptyStrings: true };
    expect(await statementsOf({ operation: 'insert', options }, { json: [{ name: 'Ann', tags: ['a'], empty: '' }] })).toEqual([
      {
        sql: 'INSERT LOW_PRIORITY IGNORE INTO `shop`.`people` (`name`, `tags`, `empty`) VALUES (?, ?, ?)',
        values: ['Ann', '["a"]', null],
      },
    ]);
    await server?.close();
    expect(await statementsOf({ operation: 'insert', ...defined({ column: 'a`b', value: 'x' }) })).toEqual([
      { sql: 'INSERT INTO `shop`.`people` (`a``b`) VALUES (?)', values: ['x'] },
    ]);
  });

  test('update and upsert find rows by a column', async () => {
    const match = { columnToMatchOn: 'id', valueToMatchOn: '5', ...defined({ column: 'name', value: 'Ann' }) };
    expect(await statementsOf({ operation: 'update', ...match })).toEqual([
      { sql: 'UPDATE `shop`.`people` SET `name` = ? WHERE `id` = ?', values: ['Ann', '5'] },
    ]);
    await server?.close();
    expect(await statementsOf({ operation: 'upsert', columnToMatchOn: 'id' }, { json: [{ id: '5', name: 'Ann' }] })).toEqual([
      {
        sql: 'INSERT INTO `shop`.`people` (`id`, `name`) VALUES (?, ?) ON DUPLICATE KEY UPDATE `name` = VALUES(`name`)',
        values: ['5', 'Ann'],
      },
    ]);
  });

  test('select and delete use conditions', async () => {
    const where = {
      values: [
        { column: 'age', condition: '>=', value: '3' },
        { column: 'name', condition: 'IS NOT NULL', value: null },
      ],
    };
    const sort = { values: [{ column: 'name', direction: 'DESC' }] };
    const options = { selectDistinct: true, outputColumns: ['id', 'name'] };
    expect(await statementsOf({ operation: 'select', where, sort, options, limit: 3 })).toEqual([
      {
        sql: 'SELECT DISTINCT `id`, `name` FROM `shop`.`people` WHERE `age` >= ? AND `name` IS NOT NULL ORDER BY `name` DESC LIMIT 3',
        values: ['3'],
      },
    ]);
    await server?.close();
    expect(await statementsOf({ operation: 'deleteTable', deleteCommand: 'delete', where, combineConditions: 'OR' })).toEqual([
      { sql: 'DELETE FROM `shop`.`people` WHERE `age` >= ? OR `name` IS NOT NULL', values: ['3'] },
    ]);
    await server?.close();
    expect(await statementsOf({ operation: 'deleteTable' })).toEqual([{ sql: 'TRUNCATE TABLE `shop`.`people`' }]);
    await server?.close();
    expect(await statementsOf({ operation: 'deleteTable', deleteCommand: 'drop' })).toEqual([
      { sql: 'DROP TABLE IF EXISTS `shop`.`people`' },
    ]);
  });

  test('version 1 selects the fields that it writes, and returns the server’s counts', async () => {
    const first = { table: 'people', columns: 'name' };
    const insert = await run(
      changed,
      { ...first, operation: 'insert', options: { ignore: true } },
      { typeVersion: 1, json: [{ name: 'Ann' }] },
    );
    expect(insert.received).toEqual([{ sql: 'INSERT IGNORE INTO `people` (`name`) VALUES (?)', values: ['Ann'] }]);
    expect(insert.json).toMatchObject([{ affectedRows: 1, insertId: 5 }]);
    await server?.close();
    const update = await run(
      changed,
      { ...first, operation: 'update', updateKey: 'id' },
      { typeVersion: 1, json: [{ id: '5', name: 'Ann' }] },
    );
    expect(update.received).toEqual([{ sql: 'UPDATE `people` SET `name` = ? WHERE `id` = ?', values: ['Ann', '5'] }]);
  });
});

describe('several items', () => {
  const parameters = (options: JsonObject) => ({ operation: 'insert', table: 'people', options });
  const json = [{ name: 'Ann' }, { name: 'Bob' }, { name: 'Cid' }];
  const failing = ({ values }: ReceivedStatement): MySqlResult =>
    values?.[0] === 'Bob' ? { error: 'no Bob', code: 1062 } : changed;

  test('a failure rolls back all items by default', async () => {
    await expect(run(failing, parameters({}), { json })).rejects.toMatchObject({ message: 'no Bob', itemIndex: 1 });
    expect(server?.received.map(({ sql }) => sql.split(' ')[0])).toEqual(['BEGIN', 'INSERT', 'INSERT', 'ROLLBACK']);
  });

  test('with independent queries, a failed item does not affect others', async () => {
    const output = await run(failing, parameters({ queryBatching: 'independently' }), { json, continueOnFail: true });
    expect(output.json).toEqual([{ success: true }, { error: 'no Bob' }, { success: true }]);
    expect(output.received).toHaveLength(3);
  });
});

describe('the connection', () => {
  const parameters = { operation: 'executeQuery', query: 'SELECT SLEEP(60)' };

  test('a canceled run cancels its query on the server', async () => {
    const controller = new AbortController();
    const reason = new Error('canceled');
    const answer = ({ sql }: ReceivedStatement): MySqlResult => {
      if (sql.startsWith('KILL')) return changed;
      setImmediate(() => controller.abort(reason));
      return 'silence';
    };
    await expect(run(answer, parameters, { signal: controller.signal, continueOnFail: true })).rejects.toBe(reason);
    expect(server?.received).toEqual([{ sql: 'SELECT SLEEP(60)' }, { sql: 'KILL QUERY 7' }]);
  });

  test('wrong credentials and an unreachable host have different errors without secrets', async () => {
    server = await mySqlServer(() => changed);
    const credentials = { mySql: { host: '127.0.0.1', port: server.port, user: 'bob', password: 'wrong one' } };
    const refused = runForJson(mySql, { connect: ports.connect, credentials, parameters });
    await expect(refused).rejects.toMatchObject({
      message: "MySQL: Access denied for user 'bob'",
      description: expect.stringContaining('Check host'),
    });
    const error = new AppError({ code: 'CONNECTION_FAILED', message: 'no connection: the connection was refused' });
    const unreachable = { connect: () => Promise.reject(error), credentials, parameters, json: [{}, {}] };
    await expect(runForJson(mySql, unreachable)).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(await runForJson(mySql, { ...unreachable, continueOnFail: true })).toHaveLength(2);
  });
});
