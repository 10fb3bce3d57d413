import {
  type ExecuteContext,
  type FoundDocument,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
} from '@sluice/node-sdk';
import { coercedText, namesParameter, textParameter, weaviateAddress } from '@sluice/nodes-base/node-tools';
import { modelIdOf } from '../../shared/model-list.ts';
import { callService, type ServiceCall } from '../../shared/service-call.ts';
import type { StoreClient, VectorEntry, VectorSearch } from '../../shared/vector-store.ts';
import { whereOf } from './where-filter.ts';

export const weaviateCredential = 'weaviateApi';

/** Objects per request. */
const batchSize = 100;
/** Names of classes and properties: https://docs.weaviate.io/weaviate/config-refs/collections */
const namePattern = /^[A-Za-z_]\w{0,230}$/;

export async function openWeaviateCollection(context: ExecuteContext, itemIndex: number): Promise<StoreClient> {
  const collectionName = modelIdOf(context, itemIndex, 'weaviateCollection', '', 'collection');
  const name = `${collectionName[0]?.toUpperCase() ?? ''}${collectionName.slice(1)}`;
  const textKey = textParameter(context, 'options.textKey', itemIndex) || 'text';
  for (const one of [name, textKey])
    if (!namePattern.test(one))
      throw new NodeOperationError(`"${one}" is not a name in Weaviate`, {
        itemIndex,
        description: 'Use letters, digits, and underscores',
      });
  const address = weaviateAddress(await context.credentials(weaviateCredential, itemIndex));
  return new Collection(context, itemIndex, { address, name, textKey });
}

interface Place {
  address: string;
  name: string;
  textKey: string;
}

class Collection implements StoreClient {
  readonly target: string;
  readonly #context: ExecuteContext;
  readonly #itemIndex: number;
  readonly #place: Place;
  readonly #tenant: string;

  constructor(context: ExecuteContext, itemIndex: number, place: Place) {
    this.#context = context;
    this.#itemIndex = itemIndex;
    this.#place = place;
    this.#tenant = textParameter(context, 'options.tenant', itemIndex);
    this.target = `${place.address} ${place.name} ${this.#tenant}`;
  }

  /** Creates the collection if it is missing: Weaviate would add its own vectors to it. */
  async prepare(): Promise<void> {
    if ((await this.#properties()) !== undefined) return;
    const json = {
      class: this.#place.name,
      vectorizer: 'none',
      ...(this.#tenant !== '' && { multiTenancyConfig: { enabled: true, autoTenantCreation: true } }),
    };
    // Another worker may have created the collection in the meantime.
    await this.#call({ path: '/v1/schema', json, accepts: [422] });
  }

  async clear(): Promise<void> {
    const { name } = this.#place;
    if ((await this.#properties()) === undefined) return;
    if (this.#tenant === '') await this.#call({ method: 'DELETE', path: `/v1/schema/${name}` });
    else await this.#call({ method: 'DELETE', path: `/v1/schema/${name}/tenants`, json: [this.#tenant], accepts: [404, 422] });
  }

  async insert(entries: readonly VectorEntry[]): Promise<void> {
    const { name, textKey } = this.#place;
    for (let at = 0; at < entries.length; at += batchSize) {
      const objects = entries.slice(at, at + batchSize).map(({ id, vector, text, metadata }) => ({
        class: name,
        id,
        vector: [...vector],
        properties: { ...flat(metadata), [textKey]: text },
        ...(this.#tenant !== '' && { tenant: this.#tenant }),
      }));
      this.#assertStored(await this.#call({ path: '/v1/batch/objects', json: { objects } }));
    }
  }

  /** A batch succeeds even if objects are refused. */
  #assertStored(results: JsonValue): void {
    for (const one of Array.isArray(results) ? results : []) {
      const errors = memberOf(memberOf(memberOf(one, 'result'), 'errors'), 'error');
      const message = memberOf(Array.isArray(errors) ? (errors[0] ?? null) : null, 'message');
      if (typeof message === 'string')
        throw this.#error(`Weaviate refused a document: ${message}`, 'Check the metadata, and the length of the vectors');
    }
  }

  /** The score is a distance: the nearest document has the smallest one. */
  async search({ vector, topK, filter }: VectorSearch): Promise<FoundDocument[]> {
    const { name, textKey } = this.#place;
    const properties = (await this.#properties()) ?? [];
    const wanted = namesParameter(this.#context, 'options.metadataKeys', this.#itemIndex);
    const names = properties.filter((one) => one !== textKey && (wanted.length === 0 || wanted.includes(one)));
    const where = whereOf(filter, this.#itemIndex);
    const args = [
      `nearVector: { vector: ${JSON.stringify(vector)} }`,
      `limit: ${topK}`,
      ...(where === '' ? [] : [`where: ${where}`]),
      ...(this.#tenant === '' ? [] : [`tenant: ${JSON.stringify(this.#tenant)}`]),
    ];
    const query = `{ Get { ${name}(${args.join(', ')}) { ${[textKey, ...names].join(' ')} _additional { distance } } } }`;
    const answer = await this.#call({ path: '/v1/graphql', json: { query } });
    this.#assertFound(answer);
    const rows = memberOf(memberOf(memberOf(answer, 'data'), 'Get'), name);
    return (Array.isArray(rows) ? rows : [])
      .filter(isJsonObject)
      .map(({ [textKey]: text, _additional: more = null, ...rest }) => ({
        text: coercedText(text),
        metadata: Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null)),
        score: Number(memberOf(more, 'distance')),
      }));
  }

  #assertFound(answer: JsonValue): void {
    const errors = memberOf(answer, 'errors');
    const message = memberOf(Array.isArray(errors) ? (errors[0] ?? null) : null, 'message');
    if (typeof message === 'string')
      throw this.#error(`Weaviate refused the search: ${message}`, 'Check the filters, and the names of the properties');
  }

  /** Names of the properties with plain values; `undefined`: the collection is missing. */
  async #properties(): Promise<string[] | undefined> {
    const schema = await this.#call({ method: 'GET', path: `/v1/schema/${this.#place.name}`, accepts: [404] });
    if (memberOf(schema, 'class') === null) return undefined;
    const properties = memberOf(schema, 'properties');
    return (Array.isArray(properties) ? properties : []).flatMap((property) => {
      const [name, types] = [memberOf(property, 'name'), memberOf(property, 'dataType')];
      const isPlain = Array.isArray(types) && types.every((type) => typeof type === 'string' && plainTypes.test(type));
      return typeof name === 'string' && namePattern.test(name) && isPlain ? [name] : [];
    });
  }

  #call({ path, ...call }: Omit<ServiceCall, 'credential' | 'service' | 'url'> & { path: string }): Promise<JsonValue> {
    const url = `${this.#place.address}${path}`;
    return callService(this.#context, this.#itemIndex, { service: 'Weaviate', credential: weaviateCredential, url, ...call });
  }

  #error(message: string, description: string): NodeOperationError {
    return new NodeOperationError(message, { itemIndex: this.#itemIndex, description });
  }
}

const plainTypes = /^(?:text|string|int|number|boolean|date|uuid)(?:\[\])?$/;
const memberOf = (value: JsonValue, name: string): JsonValue => (isJsonObject(value) ? (value[name] ?? null) : null);

/** Properties have plain values and plain names: object members get names with underscores. */
function flat(metadata: JsonObject, prefix = ''): JsonObject {
  const entries = Object.entries(metadata).flatMap(([name, value]): [string, JsonValue][] => {
    const plain = `${prefix}${name}`.replace(/\W/g, '_').replace(/^(?=\d)/, '_');
    if (value === null) return [];
    if (isJsonObject(value)) return Object.entries(flat(value, `${plain}_`));
    if (!Array.isArray(value)) return [[plain, value]];
    return [[plain, value.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))]];
  });
  return Object.fromEntries(entries);
}
