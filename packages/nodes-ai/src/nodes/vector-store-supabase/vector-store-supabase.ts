import { type ExecuteContext, type FoundDocument, isJsonObject, type JsonValue } from '@sluice/node-sdk';
import { coercedText, text, textParameter } from '@sluice/nodes-base/node-tools';
import { defineVectorStore } from '../../shared/define-vector-store.ts';
import { baseUrl, modelIdOf, modelProperty } from '../../shared/model-list.ts';
import { callService, type ServiceCall } from '../../shared/service-call.ts';
import type { StoreClient, VectorEntry, VectorSearch } from '../../shared/vector-store.ts';

/** Rows per request. */
const batchSize = 500;

/** https://supabase.com/docs/guides/ai/langchain and https://docs.postgrest.org */
export const vectorStoreSupabase = defineVectorStore({
  name: 'vector-store-supabase',
  service: 'Supabase',
  credential: 'supabaseApi',
  updates: true,
  target: [modelProperty('tableName', '', { displayName: 'Table Name', description: 'The table: from the list, or by name' })],
  options: [
    text('queryName', 'Query Name', 'The function in the database that finds documents', { default: 'match_documents' }),
  ],
  list: { url: (data) => `${baseUrl(data, 'host')}/rest/v1/`, member: 'definitions' },
  open: async (context, itemIndex) => {
    const table = modelIdOf(context, itemIndex, 'tableName', '', 'table');
    const data = await context.credentials('supabaseApi', itemIndex);
    return new Table(context, itemIndex, `${baseUrl(data, 'host')}/rest/v1`, table);
  },
});

class Table implements StoreClient {
  readonly #context: ExecuteContext;
  readonly #itemIndex: number;
  readonly #url: string;
  readonly #table: string;

  constructor(context: ExecuteContext, itemIndex: number, url: string, table: string) {
    this.#context = context;
    this.#itemIndex = itemIndex;
    this.#url = url;
    this.#table = table;
  }

  /** The database assigns IDs to new rows; only an update sends an ID. */
  async insert(entries: readonly VectorEntry[]): Promise<void> {
    const isUpdate = textParameter(this.#context, 'mode', this.#itemIndex) === 'update';
    for (let at = 0; at < entries.length; at += batchSize) {
      const json = entries.slice(at, at + batchSize).map(({ id, text: content, metadata, vector }) => ({
        ...(isUpdate && { id }),
        content,
        metadata,
        embedding: [...vector],
      }));
      const headers = { prefer: isUpdate ? 'return=minimal,resolution=merge-duplicates' : 'return=minimal' };
      await this.#call({ url: `${this.#url}/${encodeURIComponent(this.#table)}`, json, headers });
    }
  }

  async search({ vector, topK, filter }: VectorSearch): Promise<FoundDocument[]> {
    const query = textParameter(this.#context, 'options.queryName', this.#itemIndex) || 'match_documents';
    const json = { query_embedding: [...vector], ...(Object.keys(filter).length > 0 && { filter }) };
    const rows = await this.#call({ url: `${this.#url}/rpc/${encodeURIComponent(query)}?limit=${topK}`, json });
    const records = Array.isArray(rows) ? rows.filter(isJsonObject) : [];
    return records.map(({ content, metadata, similarity }) => ({
      text: coercedText(content),
      metadata: isJsonObject(metadata) ? metadata : {},
      score: Number(similarity),
    }));
  }

  #call(call: Omit<ServiceCall, 'credential' | 'service'>): Promise<JsonValue> {
    return callService(this.#context, this.#itemIndex, { service: 'Supabase', credential: 'supabaseApi', ...call });
  }
}
