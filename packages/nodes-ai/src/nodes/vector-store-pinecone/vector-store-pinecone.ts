import {
  type ExecuteContext,
  type FoundDocument,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
} from '@sluice/node-sdk';
import { stringOf, text, textParameter, toggle } from '@sluice/nodes-base/node-tools';
import { defineVectorStore } from '../../shared/define-vector-store.ts';
import { modelIdOf, modelProperty } from '../../shared/model-list.ts';
import { callService } from '../../shared/service-call.ts';
import type { StoreClient, VectorEntry, VectorSearch } from '../../shared/vector-store.ts';

const control = 'https://api.pinecone.io/indexes';
const headers = { 'x-pinecone-api-version': '2025-04' };
/** Maximum number of vectors in one request. */
const maxUpsert = 100;

/** https://docs.pinecone.io/reference/api */
export const vectorStorePinecone = defineVectorStore({
  name: 'vector-store-pinecone',
  service: 'Pinecone',
  credential: 'pineconeApi',
  updates: true,
  target: [
    modelProperty('pineconeIndex', '', { displayName: 'Pinecone Index', description: 'The index: from the list, or by name' }),
  ],
  options: [
    text('pineconeNamespace', 'Pinecone Namespace', 'Part of the index; empty: the default one'),
    toggle('clearNamespace', 'Clear Namespace', 'Whether all documents of the namespace are deleted before the first insert'),
  ],
  list: {
    url: () => control,
    member: 'indexes',
    option: ({ name }) => (typeof name === 'string' ? { name, value: name } : undefined),
  },
  open: async (context, itemIndex) => {
    const name = modelIdOf(context, itemIndex, 'pineconeIndex', '', 'index');
    const index = await call(context, itemIndex, `${control}/${encodeURIComponent(name)}`);
    const host = isJsonObject(index) ? index['host'] : undefined;
    if (typeof host === 'string' && host !== '') return new Namespace(context, itemIndex, host);
    throw new NodeOperationError(`Pinecone names no host for the index "${name}"`, {
      itemIndex,
      description: 'Check that it is ready',
    });
  },
});

function call(context: ExecuteContext, itemIndex: number, url: string, json?: JsonObject): Promise<JsonValue> {
  const method = json ? 'POST' : 'GET';
  return callService(context, itemIndex, {
    service: 'Pinecone',
    credential: 'pineconeApi',
    method,
    url,
    headers,
    ...(json && { json }),
  });
}

class Namespace implements StoreClient {
  readonly target: string;
  readonly #call: (path: string, json: JsonObject) => Promise<JsonValue>;

  constructor(context: ExecuteContext, itemIndex: number, host: string) {
    const namespace = textParameter(context, 'options.pineconeNamespace', itemIndex);
    const origin = host.startsWith('http') ? host : `https://${host}`;
    this.target = `${origin} ${namespace}`;
    this.#call = (path, json) => call(context, itemIndex, `${origin}${path}`, { ...json, namespace });
  }

  async clear(): Promise<void> {
    // A namespace that has no documents yet does not exist.
    await this.#call('/vectors/delete', { deleteAll: true }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }

  async insert(entries: readonly VectorEntry[]): Promise<void> {
    for (let at = 0; at < entries.length; at += maxUpsert) {
      const vectors = entries.slice(at, at + maxUpsert).map(({ id, vector, text: content, metadata }) => ({
        id,
        values: [...vector],
        metadata: { ...flat(metadata), text: content },
      }));
      await this.#call('/vectors/upsert', { vectors });
    }
  }

  async search({ vector, topK, filter }: VectorSearch): Promise<FoundDocument[]> {
    const conditions = Object.keys(filter).length > 0 && { filter };
    const result = await this.#call('/query', { vector: [...vector], topK, includeMetadata: true, ...conditions });
    const matches = isJsonObject(result) && Array.isArray(result['matches']) ? result['matches'] : [];
    return matches.filter(isJsonObject).map(({ metadata: stored, score }) => {
      const { text: content = '', ...metadata } = isJsonObject(stored) ? stored : {};
      return { text: stringOf(content), metadata, score: Number(score) };
    });
  }
}

function isNotFound(error: unknown): boolean {
  const details = error instanceof NodeOperationError ? error.details : undefined;
  return isJsonObject(details as JsonValue) && (details as JsonObject)['status'] === 404;
}

/**
 * Pinecone metadata values are strings, numbers, booleans, and lists of strings: object members get
 * dotted names.
 */
function flat(metadata: JsonObject, prefix = ''): JsonObject {
  const entries = Object.entries(metadata).flatMap(([name, value]): [string, JsonValue][] => {
    if (value === null) return [];
    if (isJsonObject(value)) return Object.entries(flat(value, `${prefix}${name}.`));
    return [
      [
        `${prefix}${name}`,
        Array.isArray(value) ? value.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))) : value,
      ],
    ];
  });
  return Object.fromEntries(entries);
}
