import { randomUUID } from 'node:crypto';
import {
  type Embedding,
  type ExecuteContext,
  type FoundDocument,
  type Item,
  type JsonObject,
  NodeOperationError,
  type NodeOutput,
  type TextDocument,
  type Tool,
  type VectorStore,
} from '@sluice/node-sdk';
import {
  booleanParameter,
  choiceParameter,
  coercedText,
  listParameter,
  mapItemsAsync,
  numberParameter,
  objectParameter,
  requiredText,
  textParameter,
} from '@sluice/nodes-base/node-tools';
import { toolName } from './tool-name.ts';
import type { OpenStore, StoreClient } from './vector-store.ts';

const storeModes = ['load', 'insert', 'retrieve', 'retrieve-as-tool', 'update'] as const;
/** Maximum number of documents that are embedded at once: a vector takes up to 30 KB. */
const maxBatch = 1_000;
/** Maximum number of documents in one search. */
const maxTopK = 10_000;

/** The modes that are steps of a workflow. */
export async function executeStore(context: ExecuteContext, open: OpenStore): Promise<NodeOutput> {
  const cleared = new Set<string>();
  const items = await mapItemsAsync(context, async (_, itemIndex) => {
    const mode = choiceParameter(context, 'mode', itemIndex, storeModes, 'retrieve');
    return withStore(context, itemIndex, open, (store) => {
      if (mode === 'insert') return insert(context, itemIndex, store, cleared);
      if (mode === 'update') return update(context, itemIndex, store);
      if (mode === 'load') return load(context, itemIndex, store);
      throw new NodeOperationError(`the operation "${mode}" has no main output`, {
        itemIndex,
        description: 'Choose "Get Many", "Insert Documents", or "Update Documents"',
      });
    });
  });
  return [items];
}

async function withStore<T>(
  context: ExecuteContext,
  itemIndex: number,
  open: OpenStore,
  work: (store: StoreClient) => Promise<T>,
): Promise<T> {
  const store = await open(context, itemIndex);
  try {
    return await work(store);
  } finally {
    await store.close?.();
  }
}

async function insert(context: ExecuteContext, itemIndex: number, store: StoreClient, cleared: Set<string>): Promise<Item[]> {
  const [loader] = await context.connected('ai_document', itemIndex);
  if (!loader)
    throw new NodeOperationError('no document loader is connected', { itemIndex, description: 'Connect one to the node' });
  const documents = await loader.value.load({ itemIndex }, context.signal);
  const { target = '' } = store;
  if (clears(context, itemIndex) && !cleared.has(target)) await store.clear?.();
  cleared.add(target);
  await add(context, itemIndex, store, documents);
  return documents.map(({ text, metadata }) => ({ json: { metadata, pageContent: text }, pairedItem: { item: itemIndex } }));
}

function clears(context: ExecuteContext, itemIndex: number): boolean {
  const names = ['clearStore', 'options.clearNamespace', 'options.clearStore'];
  return names.some((name) => booleanParameter(context, name, itemIndex, false));
}

/** Embeds and stores documents in batches; resolves to their IDs. */
async function add(
  context: ExecuteContext,
  itemIndex: number,
  store: StoreClient,
  documents: readonly TextDocument[],
  ids = documents.map(() => randomUUID() as string),
): Promise<string[]> {
  const embedding = await embeddingOf(context, itemIndex);
  const wanted = Math.trunc(numberParameter(context, 'embeddingBatchSize', itemIndex, 200));
  const size = Math.min(Math.max(1, wanted), maxBatch);
  for (let at = 0; at < documents.length; at += size) {
    const batch = documents.slice(at, at + size);
    const { vectors } = await embedding.embed(
      batch.map(({ text }) => text),
      context.signal,
    );
    const entries = batch.map((document, index) => ({ ...document, id: ids[at + index] ?? '', vector: vectors[index] ?? [] }));
    if (at === 0) await store.prepare?.(entries[0]?.vector.length ?? 0);
    await store.insert(entries);
  }
  return ids;
}

async function embeddingOf(context: ExecuteContext, itemIndex: number): Promise<Embedding> {
  const [embedding] = await context.connected('ai_embedding', itemIndex);
  if (embedding) return embedding.value;
  throw new NodeOperationError('no embedding is connected', { itemIndex, description: 'Connect one to the node' });
}

/** Replaces the document with an ID by the item. */
async function update(context: ExecuteContext, itemIndex: number, store: StoreClient): Promise<Item[]> {
  const id = requiredText(context, 'id', itemIndex);
  const [loader] = await context.connected('ai_document', itemIndex);
  const json = context.items()[itemIndex]?.json ?? {};
  const loaded = loader ? await loader.value.load({ itemIndex }, context.signal) : [];
  const [document = { text: JSON.stringify(json), metadata: {} }, ...more] = loaded;
  if (more.length > 0)
    throw new NodeOperationError('an update needs exactly one document, but the loader made several', {
      itemIndex,
      description: 'Use a larger chunk size',
    });
  await add(context, itemIndex, store, [document], [id]);
  return [{ json: { id, metadata: document.metadata, pageContent: document.text }, pairedItem: { item: itemIndex } }];
}

async function load(context: ExecuteContext, itemIndex: number, store: StoreClient): Promise<Item[]> {
  const documents = await search(context, itemIndex, store, {
    text: requiredText(context, 'prompt', itemIndex),
    topK: topKOf(context, itemIndex),
  });
  const withMetadata = booleanParameter(context, 'includeDocumentMetadata', itemIndex, true);
  return documents.map(({ text, metadata, score }) => ({
    json: { document: { ...(withMetadata && { metadata }), pageContent: text }, score },
    pairedItem: { item: itemIndex },
  }));
}

function topKOf(context: ExecuteContext, itemIndex: number): number {
  return Math.min(Math.max(1, Math.trunc(numberParameter(context, 'topK', itemIndex, 4))), maxTopK);
}

async function search(
  context: ExecuteContext,
  itemIndex: number,
  store: StoreClient,
  { text, topK, filter }: { text: string; topK: number; filter?: JsonObject | undefined },
): Promise<readonly FoundDocument[]> {
  const embedding = await embeddingOf(context, itemIndex);
  const { vectors } = await embedding.embed([text], context.signal);
  const documents = await store.search({ vector: vectors[0] ?? [], topK, filter: filter ?? filterOf(context, itemIndex) });
  if (!booleanParameter(context, 'useReranker', itemIndex, false)) return documents;
  const [reranker] = await context.connected('ai_reranker', itemIndex);
  if (!reranker)
    throw new NodeOperationError('no reranker is connected', {
      itemIndex,
      description: 'Connect one, or turn "Rerank Results" off',
    });
  return reranker.value.rerank({ query: text, documents }, context.signal);
}

function filterOf(context: ExecuteContext, itemIndex: number): JsonObject {
  const written = context.parameter('options.searchFilterJson', itemIndex) ?? '';
  if (written !== '') return objectParameter(context, 'options.searchFilterJson', itemIndex);
  const values = listParameter(context, 'options.metadata.metadataValues', itemIndex);
  return Object.fromEntries(values.map(({ name, value }) => [coercedText(name), value ?? '']));
}

/** The modes that supply a vector store, or a tool that searches it. */
export function supplyStore(context: ExecuteContext, itemIndex: number, open: OpenStore): VectorStore | Tool {
  const mode = choiceParameter(context, 'mode', itemIndex, storeModes, 'retrieve');
  const searchStore = (query: { text: string; topK: number; filter?: JsonObject }) =>
    withStore(context, itemIndex, open, (store) => search(context, itemIndex, store, query));
  if (mode === 'retrieve-as-tool') return searchTool(context, itemIndex, searchStore);
  return {
    add: (documents) => withStore(context, itemIndex, open, (store) => add(context, itemIndex, store, documents)),
    search: searchStore,
  };
}

type Search = (query: { text: string; topK: number }) => Promise<readonly FoundDocument[]>;

function searchTool(context: ExecuteContext, itemIndex: number, find: Search): Tool {
  const named = context.typeVersion < 1.3 ? textParameter(context, 'toolName', itemIndex) : '';
  const withMetadata = booleanParameter(context, 'includeDocumentMetadata', itemIndex, true);
  return {
    name: toolName(named || context.node.name),
    description: textParameter(context, 'toolDescription', itemIndex),
    inputSchema: querySchema,
    run: async (input) => {
      const text = coercedText((input as JsonObject)['input']);
      const documents = await find({ text, topK: topKOf(context, itemIndex) });
      return documents.map(({ text: pageContent, metadata }) => ({ pageContent, ...(withMetadata && { metadata }) }));
    },
  };
}

const querySchema: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string', description: 'what to look for, in full words' } },
  required: ['input'],
};
