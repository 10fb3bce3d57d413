import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import type { ReceivedRequest, ServerAnswer, WireFormat } from './provider-server.ts';

interface Stored {
  id: string;
  vector: number[];
  data: JsonObject;
}

type Refusal = { refused: number; message: string };
type Handler = (body: JsonObject) => JsonValue | Refusal;

interface Rules {
  /** Refuses a request by its headers. */
  check(headers: ReceivedRequest['headers']): Refusal | undefined;
  /** `METHOD path` → handler. */
  handlers: Readonly<Record<string, Handler>>;
}

function formatOf({ check, handlers }: Rules): WireFormat {
  const problem = ({ method, path, headers, body }: ReceivedRequest): ServerAnswer => {
    const handler = handlers[`${method} ${path}`] ?? (() => refusal(404, `no ${method} ${path}`));
    const answer = check(headers) ?? handler(body);
    const { refused = 200, ...json } = isJsonObject(answer) ? (answer as Partial<Refusal>) : {};
    return { status: refused, body: JSON.stringify(refused === 200 ? answer : json) };
  };
  return {
    problem,
    isStream: () => false,
    completion: () => ({}),
    stream: () => '',
    failingStream: () => '',
    error: (status, message) => ({ status, message }),
  };
}

const refusal = (refused: number, message: string): Refusal => ({ refused, message });
const numbers = (value: unknown): value is number[] => Array.isArray(value) && value.every((one) => typeof one === 'number');

interface Search {
  vector: unknown;
  limit: unknown;
  fits?: (data: JsonObject) => boolean;
}

function nearest(
  stored: readonly Stored[],
  { vector: query, limit, fits = () => true }: Search,
): { one: Stored; score: number }[] {
  if (!numbers(query) || typeof limit !== 'number') throw new TypeError('a search needs a vector and a limit');
  const score = ({ vector }: Stored) => vector.reduce((sum, value, index) => sum + value * (query[index] ?? 0), 0);
  return stored
    .filter(({ data }) => fits(data))
    .map((one) => ({ one, score: score(one) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}

/**
 * A collection of Qdrant, from https://api.qdrant.tech. `size`: length of its vectors; absent: it
 * is missing.
 */
export function qdrantFormat(stored: Stored[], size?: number): WireFormat {
  const collection = '/collections/my%20docs';
  const create: Handler = ({ vectors }) => {
    if (!isJsonObject(vectors) || vectors['distance'] !== 'Cosine') return refusal(422, 'vectors are missing');
    size = Number(vectors['size']);
    return { result: true };
  };
  const upsert: Handler = ({ points }) => {
    const added = (points as JsonObject[]).map(({ id, vector, payload }) => ({ id, vector, data: payload }));
    if (!added.every(({ id }) => /^[0-9a-f-]{36}$/.test(String(id)))) return refusal(400, 'Value is not a valid point ID');
    if (!added.every(({ vector }) => numbers(vector) && vector.length === size)) return refusal(400, 'Vector dimension error');
    stored.push(...(added as Stored[]));
    return { result: { operation_id: 1, status: 'completed' } };
  };
  const query: Handler = ({ query: vector, limit, filter = {} }) => {
    const must = ((filter as JsonObject)['must'] ?? []) as { key: string; match: { value: JsonValue } }[];
    const valueAt = (data: JsonObject, key: string) =>
      key.split('.').reduce<JsonValue>((at, name) => (at as JsonObject)[name] ?? null, data);
    const fits = (data: JsonObject) => must.every(({ key, match }) => valueAt(data, key) === match.value);
    const hits = nearest(stored, { vector, limit, fits });
    return { result: { points: hits.map(({ one, score }) => ({ id: one.id, score, payload: one.data })) } };
  };
  return formatOf({
    check: (headers) => (headers['api-key'] === 'key-1' ? undefined : refusal(403, 'Forbidden')),
    handlers: {
      [`GET ${collection}/exists`]: () => ({ result: { exists: size !== undefined } }),
      [`PUT ${collection}`]: create,
      [`PUT ${collection}/points?wait=true`]: upsert,
      [`POST ${collection}/points/query`]: query,
      'GET /collections': () => ({ result: { collections: [{ name: 'my docs' }] } }),
    },
  });
}

/** An index of Pinecone, from https://docs.pinecone.io/reference/api */
export function pineconeFormat(namespaces: Map<string, Stored[]>): WireFormat {
  const remove: Handler = ({ namespace, deleteAll }) => {
    if (deleteAll !== true) return refusal(400, 'nothing to delete');
    return namespaces.delete(String(namespace)) ? {} : refusal(404, 'Namespace not found');
  };
  const upsert: Handler = ({ namespace, vectors }) => {
    const added = (vectors as JsonObject[]).map(({ id, values, metadata }) => ({
      id,
      vector: values,
      data: metadata,
    })) as Stored[];
    const isPlain = (value: JsonValue) => value !== null && !isJsonObject(value);
    if (added.length > 1_000) return refusal(400, 'too many vectors');
    if (!added.every(({ vector, data }) => numbers(vector) && Object.values(data).every(isPlain)))
      return refusal(400, 'Metadata value must be a string, number, boolean or list of strings');
    const all = [...(namespaces.get(String(namespace)) ?? []), ...added];
    namespaces.set(String(namespace), [...new Map(all.map((one) => [one.id, one])).values()]);
    return { upsertedCount: added.length };
  };
  const query: Handler = ({ namespace, vector, topK, filter = {}, includeMetadata }) => {
    if (includeMetadata !== true) return refusal(400, 'no metadata');
    const fits = (data: JsonObject) => Object.entries(filter as JsonObject).every(([name, value]) => data[name] === value);
    const hits = nearest(namespaces.get(String(namespace)) ?? [], { vector, limit: topK, fits });
    return { matches: hits.map(({ one, score }) => ({ id: one.id, score, metadata: one.data })) };
  };
  return formatOf({
    check: (headers) => {
      if (headers['x-pinecone-api-version'] === undefined) return refusal(400, 'no version');
      return headers['api-key'] === 'key-1' ? undefined : refusal(401, 'Invalid API Key');
    },
    handlers: {
      'GET /indexes/docs': () => ({ name: 'docs', host: 'docs-1.svc.pinecone.io' }),
      'POST /vectors/delete': remove,
      'POST /vectors/upsert': upsert,
      'POST /query': query,
    },
  });
}

/**
 * A table and its function behind its REST API, from https://supabase.com/docs/guides/ai/langchain
 */
export function supabaseFormat(stored: Stored[]): WireFormat {
  let prefer = '';
  const insert: Handler = (body) => {
    const isUpdate = prefer.includes('resolution=merge-duplicates');
    const rows = Object.values(body) as JsonObject[];
    if (rows.some(({ id }) => (id !== undefined) !== isUpdate)) return refusal(400, 'invalid input syntax for type bigint');
    if (rows.some(({ content, embedding }) => typeof content !== 'string' || !numbers(embedding)))
      return refusal(400, 'column is missing');
    for (const { id, content = '', metadata = {}, embedding } of rows) {
      const row = { id: String(id ?? stored.length + 1), vector: embedding as number[], data: { content, metadata } };
      const at = stored.findIndex((one) => one.id === row.id);
      stored.splice(at < 0 ? stored.length : at, at < 0 ? 0 : 1, row);
    }
    return null;
  };
  const match =
    (limit: number): Handler =>
    ({ query_embedding: vector, filter = {}, ...rest }) => {
      if (Object.keys(rest).length > 0) return refusal(404, 'Could not find the function in the schema cache');
      const conditions = Object.entries(filter as JsonObject);
      const fits = ({ metadata }: JsonObject) => conditions.every(([name, value]) => (metadata as JsonObject)[name] === value);
      return nearest(stored, { vector, limit, fits }).map(({ one, score }) => ({ id: one.id, ...one.data, similarity: score }));
    };
  return formatOf({
    check: (headers) => {
      prefer = String(headers['prefer']);
      const isKnown = headers['apikey'] === 'key-1' && headers.authorization === 'Bearer key-1';
      return isKnown ? undefined : refusal(401, 'Invalid API key');
    },
    handlers: {
      'POST /rest/v1/documents': insert,
      ...Object.fromEntries([1, 2, 4].map((limit) => [`POST /rest/v1/rpc/match_documents?limit=${limit}`, match(limit)])),
    },
  });
}

const graphql =
  /^\{ Get \{ Docs\(nearVector: \{ vector: (\[[^\]]*\]) \}, limit: (\d+)(?:, where: (\{.{1,2000}\}))?(?:, tenant: ("[^"]*"))?\) \{ ([\w ]+) _additional \{ distance \} \} \} \}$/;
const condition = /\{ path: \["(\w+)"\], operator: Equal, value(?:Text|Number|Boolean): ("(?:[^"\\]|\\.)*"|[\w.]+) \}/g;

/**
 * The collection `Docs` of Weaviate, from https://docs.weaviate.io/weaviate/api. Its distance is 1
 * minus the product.
 */
export function weaviateFormat(stored: Stored[]): WireFormat {
  let created: JsonObject | undefined;
  const properties = new Set<string>();
  const insert: Handler = ({ objects }) => {
    const results = (objects as JsonObject[]).map(({ class: name, id, vector, properties: data = {}, tenant }) => {
      const isTenant = (tenant !== undefined) === (created?.['multiTenancyConfig'] !== undefined);
      const names = Object.keys(data as JsonObject);
      const isValid = name === 'Docs' && created && isTenant && /^[0-9a-f-]{36}$/.test(String(id)) && numbers(vector);
      if (!isValid || !names.every((one) => /^[A-Za-z_]\w*$/.test(one)))
        return { result: { status: 'FAILED', errors: { error: [{ message: `invalid object ${JSON.stringify(data)}` }] } } };
      for (const one of names) properties.add(one);
      stored.push({ id: String(id), vector, data: { ...(data as JsonObject), tenant: tenant ?? null } });
      return { result: { status: 'SUCCESS' } };
    });
    return results;
  };
  const search: Handler = ({ query }) => {
    const [, vector = '', limit, where = '', tenant = 'null', names = ''] = graphql.exec(String(query)) ?? [];
    const unknown = names.split(' ').find((one) => !properties.has(one));
    if (unknown !== undefined) return { errors: [{ message: `Cannot query field "${unknown}" on type "Docs".` }] };
    const equal = [...where.matchAll(condition)].map(([, name = '', value = '']) => [name, JSON.parse(value)] as const);
    const wanted = JSON.parse(tenant) as JsonValue;
    const isFitting = where.startsWith('{ operator: Or') ? equal.some.bind(equal) : equal.every.bind(equal);
    const fits = (data: JsonObject) => data['tenant'] === wanted && isFitting(([name, value]) => data[name] === value);
    const hits = nearest(stored, { vector: JSON.parse(vector), limit: Number(limit), fits });
    const Docs = hits.map(({ one, score }) => ({
      ...Object.fromEntries(names.split(' ').map((name) => [name, one.data[name] ?? null])),
      _additional: { distance: 1 - score },
    }));
    return { data: { Get: { Docs } } };
  };
  const schema = () => ({ class: 'Docs', properties: [...properties].map((name) => ({ name, dataType: ['text'] })) });
  const remove: Handler = () => {
    if (!created) return refusal(400, 'could not find class Docs');
    created = undefined;
    stored.length = 0;
    return null;
  };
  return formatOf({
    check: (headers) => (headers.authorization === 'Bearer key-1' ? undefined : refusal(401, 'anonymous access not enabled')),
    handlers: {
      'GET /v1/schema/Docs': () => (created ? schema() : refusal(404, 'not found')),
      'POST /v1/schema': (body) => {
        if (body['vectorizer'] !== 'none') return refusal(422, 'no module with name "text2vec"');
        created = body;
        return schema();
      },
      'DELETE /v1/schema/Docs': remove,
      'POST /v1/batch/objects': insert,
      'POST /v1/graphql': search,
    },
  });
}
