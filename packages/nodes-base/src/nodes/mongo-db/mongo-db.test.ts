import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { AppError, type JsonObject } from '@sluice/node-sdk';
import { Decimal128, type Document, Long, ObjectId } from 'mongodb';
import { realPorts } from '../../testing/credential-ports.ts';
import { type FakeRun, runForJson } from '../../testing/fake-context.ts';
import { type MongoServer, mongoServer } from '../../testing/mongo-server.ts';
import { example } from './example.ts';
import { mongoDb } from './mongo-db.ts';

const ports = realPorts();
const id = '507f1f77bcf86cd799439011';
let server: MongoServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});
afterAll(() => ports.close());

const cursorOf = (...documents: Document[]) => ({ cursor: { id: Long.ZERO, ns: 'db.people', firstBatch: documents } });

async function run(
  answer: Document | ((command: Document) => Document | undefined),
  parameters: JsonObject,
  more: FakeRun = {},
) {
  server = await mongoServer(typeof answer === 'function' ? (answer as (command: Document) => Document) : () => answer);
  const credentials = { mongoDb: { connectionString: `mongodb://127.0.0.1:${server.port}/db?directConnection=true` } };
  const all = { collection: 'people', ...parameters };
  const json = await runForJson(mongoDb, { connect: ports.connect, credentials, parameters: all, ...more });
  return { json, received: server.received };
}

test('the example works', async () => {
  const document = { _id: new ObjectId(id), name: 'Ann', age: 30, joined: new Date('2026-01-02') };
  const { json, received } = await run(cursorOf(document), example.parameters);
  expect(json).toEqual(example.outputs?.[0]);
  expect(received).toMatchObject([{ find: 'people', filter: { age: { $gte: 18 } }, limit: 10, sort: { name: 1 } }]);
});

describe('reading', () => {
  test('types that JSON lacks become text', async () => {
    const document = {
      big: Long.fromString('9007199254740993'),
      small: Long.fromNumber(5),
      exact: Decimal128.fromString('1.10'),
      bytes: Buffer.from([1, 2]),
      list: [new ObjectId(id), { at: new Date(0) }],
      nothing: null,
    };
    expect((await run(cursorOf(document), { operation: 'find' })).json).toEqual([
      {
        big: '9007199254740993',
        small: 5,
        exact: '1.10',
        bytes: 'AQI=',
        list: [id, { at: '1970-01-01T00:00:00.000Z' }],
        nothing: null,
      },
    ]);
  });

  test('a hexadecimal ID becomes an ObjectId, and Extended JSON represents other types', async () => {
    const query = { _id: id, since: { $gt: { $date: '2026-01-01T00:00:00Z' } } };
    const { received } = await run(cursorOf(), { operation: 'find', query });
    expect(received[0]?.['filter']).toEqual({ _id: new ObjectId(id), since: { $gt: new Date('2026-01-01') } });
  });

  test('aggregate runs a pipeline', async () => {
    const query = [{ $match: { _id: id } }, { $limit: 1 }];
    const { json, received } = await run(cursorOf({ n: 1 }), { operation: 'aggregate', query: JSON.stringify(query) });
    expect(json).toEqual([{ n: 1 }]);
    expect(received[0]).toMatchObject({
      aggregate: 'people',
      pipeline: [{ $match: { _id: new ObjectId(id) } }, { $limit: 1 }],
    });
    await server?.close();
    await expect(run(cursorOf(), { operation: 'aggregate', query: '{}' })).rejects.toThrow('must be a list of stages');
  });

  test('each item is a separate query from 1.1 on; before, the first item is the query', async () => {
    const parameters = (index: number) => ({ operation: 'find', collection: 'people', query: { n: index } });
    const json = [{}, {}];
    expect((await run(cursorOf({ n: 1 }), {}, { parameters, json, typeVersion: 1 })).json).toHaveLength(1);
    await server?.close();
    expect((await run(cursorOf({ n: 1 }), {}, { parameters, json, typeVersion: 1.1 })).json).toHaveLength(2);
  });

  test('a query that is not JSON, or contains its own parameters, is refused', async () => {
    await expect(run(cursorOf(), { operation: 'find', query: '{' })).rejects.toThrow('the parameter "query" is not valid JSON');
    await server?.close();
    await expect(run(cursorOf(), { operation: 'find', query: '{}', queryParameters: ['x'] })).rejects.toMatchObject({
      code: 'NOT_SUPPORTED',
    });
  });

  test('a result that is too large is an error', async () => {
    const batch = Array.from({ length: 15 }, () => ({ text: 'x'.repeat(1_000_000) }));
    const more = { cursor: { id: Long.ONE, ns: 'db.people', nextBatch: batch } };
    const first = { cursor: { id: Long.ONE, ns: 'db.people', firstBatch: batch } };
    const answer = (command: Document) => ('find' in command ? first : 'getMore' in command ? more : {});
    await expect(run(answer, { operation: 'find' })).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE' });
    await server?.close();
    const failed = { error: 'the result is larger than 64 MiB' };
    const continued = await run(answer, { operation: 'find' }, { json: [{}, {}], continueOnFail: true });
    expect(continued.json).toEqual([failed, failed]);
  });
});

describe('writing', () => {
  const json = [{ id: 'a', name: 'Ann', at: '2026-01-02', deep: { n: 1 }, other: true }];

  test('insert adds the selected fields, including dates', async () => {
    const parameters = { operation: 'insert', fields: 'name, at, deep.n', options: { dateFields: 'at', useDotNotation: true } };
    const output = await run({ n: 1 }, parameters, { json });
    expect(output.received[0]).toMatchObject({
      insert: 'people',
      documents: [{ name: 'Ann', at: new Date('2026-01-02'), 'deep.n': 1 }],
    });
    expect(output.json).toEqual([{ name: 'Ann', at: '2026-01-02', 'deep.n': 1, id: expect.stringMatching(/^[0-9a-f]{24}$/) }]);
  });

  test('update finds by the key', async () => {
    const { received, json: out } = await run(
      { n: 1, nModified: 1 },
      { operation: 'update', fields: 'name', upsert: true },
      { json },
    );
    expect(received[0]).toMatchObject({
      update: 'people',
      updates: [{ q: { id: 'a' }, u: { $set: { name: 'Ann' } }, upsert: true }],
    });
    expect(out).toEqual([{ name: 'Ann' }]);
    await server?.close();
    const byId = { operation: 'update', updateKey: '_id', fields: '_id, name' };
    const { received: second } = await run({ n: 1 }, byId, { json: [{ _id: id, name: 'Ann' }] });
    expect(second[0]).toMatchObject({ updates: [{ q: { _id: new ObjectId(id) }, u: { $set: { name: 'Ann' } } }] });
  });

  test.each(['update', 'findOneAndUpdate', 'findOneAndReplace'])(
    'an object in an item only finds documents that are equal to it, and is never a condition: %s',
    async (operation) => {
      const item = { id: { $ne: null }, name: 'Ann' };
      const { received } = await run({ n: 1, value: null }, { operation, fields: 'name' }, { json: [item] });
      const sent = received[0] as { updates?: Document[]; query?: Document };
      expect(sent.query ?? sent.updates?.[0]?.['q']).toEqual({ id: { $eq: { $ne: null } } });
    },
  );

  test('find and update, find and replace', async () => {
    const update = await run({ value: null }, { operation: 'findOneAndUpdate', fields: 'name' }, { json });
    expect(update.received[0]).toMatchObject({
      findAndModify: 'people',
      query: { id: 'a' },
      update: { $set: { name: 'Ann' } },
    });
    await server?.close();
    const replace = await run({ value: null }, { operation: 'findOneAndReplace', fields: 'name' }, { json });
    expect(replace.received[0]).toMatchObject({ query: { id: 'a' }, update: { name: 'Ann' } });
  });

  test('delete returns the number of documents', async () => {
    const { json: out, received } = await run({ n: 3 }, { operation: 'delete', query: '{"a":1}' });
    expect(out).toEqual([{ deletedCount: 3 }]);
    expect(received[0]).toMatchObject({ delete: 'people', deletes: [{ q: { a: 1 }, limit: 0 }] });
  });

  test('an item without the key, or a node without fields, is an error before anything is written', async () => {
    await expect(run({}, { operation: 'update', fields: 'name' }, { json: [{ name: 'Ann' }] })).rejects.toMatchObject({
      message: 'the item has no field "id" to find the document by',
      itemIndex: 0,
    });
    expect(server?.received).toEqual([]);
    await server?.close();
    await expect(run({}, { operation: 'insert' }, { json })).rejects.toThrow('must name at least one field');
  });

  test('a failed item does not affect others if the node continues', async () => {
    const answer = ({ documents }: Document) =>
      (documents as Document[])[0]?.['n'] === 1
        ? { n: 0, writeErrors: [{ index: 0, code: 11000, errmsg: 'duplicate key' }] }
        : { n: 1 };
    const parameters = { operation: 'insert', fields: 'n' };
    const output = await run(answer, parameters, { json: [{ n: 1 }, { n: 2 }], continueOnFail: true });
    expect(output.json).toEqual([{ error: 'duplicate key' }, { n: 2, id: expect.any(String) }]);
  });
});

test('search indexes are created, listed, changed, and dropped', async () => {
  const index = (operation: string, answer: Document, more: JsonObject = {}) =>
    run(answer, { resource: 'searchIndexes', operation, indexNameRequired: 'i', ...more });
  const result = await index(
    'createSearchIndex',
    { indexesCreated: [{ id: '1', name: 'i' }] },
    { indexDefinition: '{"fields":[]}' },
  );
  expect(result.received[0]).toMatchObject({
    createSearchIndexes: 'people',
    indexes: [{ name: 'i', type: 'vectorSearch', definition: { fields: [] } }],
  });
  expect(result.json).toEqual([{ indexName: 'i' }]);
  await server?.close();
  expect((await index('listSearchIndexes', cursorOf({ name: 'i' }))).json).toEqual([{ name: 'i' }]);
  await server?.close();
  expect((await index('updateSearchIndex', {}, { indexDefinition: {} })).json).toEqual([{ i: true }]);
  await server?.close();
  expect((await index('dropSearchIndex', {})).json).toEqual([{ i: true }]);
});

describe('the connection', () => {
  test('a canceled run ends', async () => {
    const controller = new AbortController();
    const reason = new Error('canceled');
    const answer = () => {
      setImmediate(() => controller.abort(reason));
      return undefined;
    };
    await expect(run(answer, { operation: 'find' }, { signal: controller.signal, continueOnFail: true })).rejects.toBe(reason);
  });

  test('a blocked address is reported as such, for each item if the node continues', async () => {
    const error = new AppError({ code: 'CONNECTION_BLOCKED', message: 'this address is not allowed' });
    const blocked = { connect: () => Promise.reject(error), json: [{}, {}] };
    await expect(run(cursorOf(), { operation: 'find' }, blocked)).rejects.toMatchObject({ code: 'CONNECTION_BLOCKED' });
    await server?.close();
    const { json } = await run(cursorOf(), { operation: 'find' }, { ...blocked, continueOnFail: true });
    expect(json).toEqual([{ error: 'this address is not allowed' }, { error: 'this address is not allowed' }]);
  });
});
