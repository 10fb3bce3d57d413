import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Embedding, JsonObject } from '@sluice/node-sdk';
import { type PostgresServer, startPostgresServer } from '../../nodes-base/tests/support/postgres-server.ts';
import { example } from '../src/nodes/vector-store-p-g-vector/example.ts';
import { type AiNode, aiEngine } from '../src/testing/run-ai.ts';
import { runExample } from '../src/testing/run-example.ts';
import { supplierType } from '../src/testing/scripted-model.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgresServer();
  // Replaces pgvector, which the test server lacks: its type, and distances by its operators.
  await server.admin.query(`
    CREATE DOMAIN vector AS text CHECK (VALUE ~ '^\\[[-0-9.,e ]+\\]$');
    CREATE FUNCTION numbers(vector) RETURNS TABLE (n float8, at bigint) LANGUAGE sql IMMUTABLE AS
      'SELECT value::float8, ordinality FROM jsonb_array_elements_text($1::jsonb) WITH ORDINALITY';
    CREATE FUNCTION product(a text, b text) RETURNS float8 LANGUAGE sql IMMUTABLE AS
      'SELECT sum(x.n * y.n) FROM numbers(a) x JOIN numbers(b) y USING (at)';
    CREATE FUNCTION by_cosine(a text, b text) RETURNS float8 LANGUAGE sql IMMUTABLE AS
      'SELECT 1 - product(a, b) / sqrt(product(a, a) * product(b, b))';
    CREATE FUNCTION by_product(a text, b text) RETURNS float8 LANGUAGE sql IMMUTABLE AS 'SELECT -product(a, b)';
    CREATE FUNCTION by_length(a text, b text) RETURNS float8 LANGUAGE sql IMMUTABLE AS
      'SELECT sqrt(sum((x.n - y.n) ^ 2)) FROM numbers(a) x JOIN numbers(b) y USING (at)';
    CREATE OPERATOR <=> (LEFTARG = text, RIGHTARG = text, FUNCTION = by_cosine);
    CREATE OPERATOR <#> (LEFTARG = text, RIGHTARG = text, FUNCTION = by_product);
    CREATE OPERATOR <-> (LEFTARG = text, RIGHTARG = text, FUNCTION = by_length);`);
});
afterAll(() => server.close());

/** A text's vector counts its letters a and b. */
const embedding: Embedding = {
  provider: 'test',
  modelId: 'm',
  embed: async (texts) => ({
    vectors: texts.map((text) => ['a', 'b'].map((letter) => text.split(letter).length - 1 || 0.1)),
  }),
};
const embedder: AiNode = { type: supplierType('embedder', 'ai_embedding', () => embedding), to: { Store: 'ai_embedding' } };
const loader: AiNode = {
  type: 'ai.document-default-data-loader',
  typeVersion: 1.1,
  parameters: {
    jsonMode: 'expressionData',
    jsonData: '={{ $json.text }}',
    options: { metadata: { metadataValues: [{ name: 'kind', value: '={{ $json.kind }}' }] } },
  },
  to: { Store: 'ai_document' },
};

async function run(parameters: JsonObject, items: JsonObject[] = [{}], credential = server.credential) {
  const engine = aiEngine({ c: credential }, {}, server.connect);
  const type = '@n8n/n8n-nodes-langchain.vectorStorePGVector';
  const insert = parameters['mode'] === 'insert';
  try {
    const Store: AiNode = { type, typeVersion: 1.3, parameters, credentials: { postgres: 'c' } };
    const { outcome, json } = await engine.run({ Store, Embedder: embedder, ...(insert && { Loader: loader }) }, items);
    if (outcome.status === 'error') throw Object.assign(new Error(outcome.error.message), outcome.error);
    return json('Store');
  } finally {
    await engine.close();
  }
}

const documents = [
  { text: "a'; DROP TABLE x; --\u0000", kind: 'x' },
  { text: 'ab', kind: 'y' },
  { text: 'bbb', kind: 'y' },
];
const odd = String.raw`c \u0000 \ud83d`;
const texts = (records: JsonObject[]) => records.map(({ document }) => (document as JsonObject)['pageContent']);

test('a missing table is created, and documents are found, nearest first, by each distance and by their metadata', async () => {
  const table = { tableName: 'animals' };
  await run({ mode: 'insert', ...table }, documents);
  const results = await run({ mode: 'load', ...table, prompt: 'aa', topK: 2 });
  expect(texts(results)).toEqual(["a'; DROP TABLE x; --", 'ab']);
  expect(results[0]).toMatchObject({ document: { metadata: { kind: 'x' } }, score: expect.any(Number) });
  const metadata = { metadataValues: [{ name: 'kind', value: 'y' }] };
  expect(texts(await run({ mode: 'load', ...table, prompt: 'aa', options: { metadata } }))).toEqual(['ab', 'bbb']);
  const by = async (distanceStrategy: string) =>
    texts(await run({ mode: 'load', ...table, prompt: 'bbb', topK: 1, options: { distanceStrategy } }));
  expect([await by('euclidean'), await by('innerProduct')]).toEqual([['bbb'], ['bbb']]);
});

test('a string may contain escape sequences of characters that Postgres rejects', async () => {
  await run({ mode: 'insert', tableName: 'escapes' }, [{ text: `${odd}\ud83d`, kind: odd }]);
  const metadata = { metadataValues: [{ name: 'kind', value: odd }] };
  const results = await run({ mode: 'load', tableName: 'escapes', prompt: 'a', options: { metadata } });
  expect(texts(results)).toEqual([`${odd}\ufffd`]);
});

test('collections share a table, and each finds its own documents', async () => {
  const of = (collectionName: string) => ({
    tableName: 'shared',
    options: { collection: { values: { useCollection: true, collectionName } } },
  });
  for (const name of ["it's", 'other']) await run({ mode: 'insert', ...of(name) }, [{ text: `a ${name}` }]);
  expect(texts(await run({ mode: 'load', ...of("it's"), prompt: 'a' }))).toEqual(["a it's"]);
  expect(texts(await run({ mode: 'load', ...of('none'), prompt: 'a' }))).toEqual([]);
  const { rows } = await server.admin.query('SELECT name FROM n8n_vector_collections ORDER BY name');
  expect(rows).toEqual([{ name: "it's" }, { name: 'other' }]);
});

test('the columns of a LangChain table are used, and names are never interpreted as SQL', async () => {
  const values = { idColumnName: 'key"', vectorColumnName: 'v', contentColumnName: 'Content', metadataColumnName: 'm; --' };
  const parameters = { tableName: 'Odd "name"', options: { columnNames: { values } } };
  await run({ mode: 'insert', ...parameters }, [{ text: 'ab' }]);
  expect(texts(await run({ mode: 'load', ...parameters, prompt: 'a' }))).toEqual(['ab']);
  const { rows } = await server.admin.query('SELECT "Content" FROM "Odd ""name"""');
  expect(rows).toEqual([{ Content: 'ab' }]);
});

test('a database without pgvector reports what is missing', async () => {
  const other = await startPostgresServer();
  const engine = aiEngine({ c: other.credential }, {}, other.connect);
  try {
    const Store: AiNode = {
      type: 'ai.vector-store-p-g-vector',
      typeVersion: 1.3,
      parameters: { mode: 'insert' },
      credentials: { postgres: 'c' },
    };
    const { outcome } = await engine.run({ Store, Embedder: embedder, Loader: loader }, [{ text: 'a' }]);
    expect(outcome).toMatchObject({
      error: {
        message: 'the database has no extension "vector"',
        description: expect.stringContaining('CREATE EXTENSION vector'),
      },
    });
  } finally {
    await engine.close();
    await other.close();
  }
});

test('runs the example in its documentation', async () => {
  const { outcome, json } = await runExample(example, {
    connect: server.connect,
    credentials: { postgres: server.credential },
  });
  expect(outcome).toMatchObject({ status: 'success' });
  expect(json(example.output.node)).toEqual(example.output.items);
});
