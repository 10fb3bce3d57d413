import { type ExecuteContext, type FoundDocument, isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import { coercedText, objectParameter, text, textParameter } from '@sluice/nodes-base/node-tools';
import { defineVectorStore } from '../../shared/define-vector-store.ts';
import { baseUrl, modelIdOf, modelProperty } from '../../shared/model-list.ts';
import { callService, type ServiceCall } from '../../shared/service-call.ts';
import type { StoreClient, VectorEntry, VectorSearch } from '../../shared/vector-store.ts';

/** https://api.qdrant.tech */
export const vectorStoreQdrant = defineVectorStore({
  name: 'vector-store-qdrant',
  service: 'Qdrant',
  credential: 'qdrantApi',
  updates: false,
  target: [
    modelProperty('qdrantCollection', '', {
      displayName: 'Qdrant Collection',
      description: 'The collection: from the list, or by name',
    }),
  ],
  options: [
    text('collectionConfig', 'Collection Config', 'JSON: settings of a collection that the node creates', { type: 'json' }),
    text('searchFilterJson', 'Search Filter', 'JSON: a filter in the form of Qdrant', { type: 'json' }),
    text('contentPayloadKey', 'Content Payload Key', 'Member of the payload with the text', { default: 'content' }),
    text('metadataPayloadKey', 'Metadata Payload Key', 'Member of the payload with the metadata', { default: 'metadata' }),
  ],
  list: {
    url: (data) => `${baseUrl(data, 'qdrantUrl')}/collections`,
    member: 'result.collections',
    option: ({ name }) => (typeof name === 'string' ? { name, value: name } : undefined),
  },
  open: async (context, itemIndex) => {
    const name = modelIdOf(context, itemIndex, 'qdrantCollection', '', 'collection');
    const data = await context.credentials('qdrantApi', itemIndex);
    return new Collection(context, itemIndex, `${baseUrl(data, 'qdrantUrl')}/collections/${encodeURIComponent(name)}`);
  },
});

class Collection implements StoreClient {
  readonly #context: ExecuteContext;
  readonly #itemIndex: number;
  readonly #url: string;
  readonly #content: string;
  readonly #metadata: string;

  constructor(context: ExecuteContext, itemIndex: number, url: string) {
    this.#context = context;
    this.#itemIndex = itemIndex;
    this.#url = url;
    this.#content = textParameter(context, 'options.contentPayloadKey', itemIndex) || 'content';
    this.#metadata = textParameter(context, 'options.metadataPayloadKey', itemIndex) || 'metadata';
  }

  /** Creates the collection if it is missing. */
  async prepare(dimensions: number): Promise<void> {
    const collection = memberOf(await this.#call({ method: 'GET', url: `${this.#url}/exists` }), 'result');
    if (isJsonObject(collection) && collection['exists'] === true) return;
    const written = this.#context.parameter<JsonValue>('options.collectionConfig', this.#itemIndex) ?? '';
    const config = written === '' ? {} : objectParameter(this.#context, 'options.collectionConfig', this.#itemIndex);
    const json = { vectors: { size: dimensions, distance: 'Cosine' }, ...config };
    // Another worker may have created the collection in the meantime.
    await this.#call({ method: 'PUT', url: this.#url, json, accepts: [409] });
  }

  async insert(entries: readonly VectorEntry[]): Promise<void> {
    const points = entries.map(({ id, vector, text: content, metadata }) => ({
      id,
      vector: [...vector],
      payload: { [this.#content]: content, [this.#metadata]: metadata },
    }));
    await this.#call({ method: 'PUT', url: `${this.#url}/points?wait=true`, json: { points } });
  }

  async search({ vector, topK, filter }: VectorSearch): Promise<FoundDocument[]> {
    const json = {
      query: [...vector],
      limit: topK,
      with_payload: true,
      ...(Object.keys(filter).length > 0 && { filter: this.#filter(filter) }),
    };
    const result = memberOf(await this.#call({ url: `${this.#url}/points/query`, json }), 'result');
    const points = isJsonObject(result) && Array.isArray(result['points']) ? result['points'] : [];
    return points.filter(isJsonObject).map(({ payload = {}, score }) => ({
      text: coercedText(memberOf(payload, this.#content)),
      metadata: objectIn(memberOf(payload, this.#metadata)),
      score: Number(score),
    }));
  }

  /** Metadata values, unless the filter is in Qdrant format. */
  #filter(filter: JsonObject): JsonObject {
    if (['must', 'should', 'must_not', 'min_should'].some((name) => name in filter)) return filter;
    return { must: Object.entries(filter).map(([key, value]) => ({ key: `${this.#metadata}.${key}`, match: { value } })) };
  }

  #call(call: Omit<ServiceCall, 'credential' | 'service'>): Promise<JsonValue> {
    return callService(this.#context, this.#itemIndex, { service: 'Qdrant', credential: 'qdrantApi', ...call });
  }
}

const memberOf = (value: JsonValue, name: string): JsonValue => (isJsonObject(value) ? (value[name] ?? null) : null);
const objectIn = (value: JsonValue): JsonObject => (isJsonObject(value) ? value : {});
