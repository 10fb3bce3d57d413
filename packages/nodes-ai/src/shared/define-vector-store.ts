import type { ConnectionType, NodeCredential, NodeProperty, NodeType, SubNodeInput } from '@sluice/node-sdk';
import { choice, choices, list, number, options, stringOf, text, toggle, when, where } from '@sluice/nodes-base/node-tools';
import { type ModelList, modelMethods } from './model-list.ts';
import { executeStore, supplyStore } from './store-modes.ts';
import type { OpenStore } from './vector-store.ts';

interface VectorStoreSource {
  /** As `vector-store-qdrant`. */
  name: string;
  service: string;
  /** Default: `<service> Vector Store`. */
  displayName?: string;
  /** Absent: the store belongs to this service. */
  credential?: string;
  /** The parameter with the collection, and the store's other parameters. */
  target: readonly NodeProperty[];
  /** Members of `options`. */
  options?: readonly NodeProperty[];
  /** Whether `update` exists. */
  updates: boolean;
  list?: Omit<ModelList, 'credential'>;
  open: OpenStore;
}

const searching = ['load', 'retrieve', 'retrieve-as-tool'];
const outputs: Readonly<Record<string, ConnectionType>> = {
  retrieve: 'ai_vectorStore',
  'retrieve-as-tool': 'ai_tool',
};

/** A vector store node type: inserts and finds documents, or lets other nodes do so. */
export function defineVectorStore(source: VectorStoreSource): NodeType {
  const { name, service, credential, list: listed, open, displayName = `${service} Vector Store` } = source;
  const credentials: NodeCredential[] = credential === undefined ? [] : [{ name: credential, required: true }];
  return {
    description: {
      displayName,
      name,
      group: ['transform'],
      version: [1, 1.1, 1.2, 1.3],
      description: `Stores documents as vectors in ${service}, and finds documents similar to a query`,
      defaults: { name: displayName },
      inputs: ['main'],
      outputs: ['main'],
      subNodes,
      credentials,
      properties: [...leading(source.updates), ...source.target, ...trailing(source.options ?? [])],
      icon: 'fa:database',
    },
    outputs: ({ mode = 'retrieve' }) => [outputs[stringOf(mode)] ?? 'main'],
    ...(listed && credential !== undefined && { methods: modelMethods({ ...listed, credential }) }),
    execute: (context) => executeStore(context, open),
    supply: (context, itemIndex) => supplyStore(context, itemIndex, open),
  };
}

const subNodes: readonly SubNodeInput[] = [
  { type: 'ai_embedding', displayName: 'Embedding', required: true, maxCount: 1 },
  {
    type: 'ai_document',
    displayName: 'Document',
    required: true,
    maxCount: 1,
    displayOptions: { show: { mode: ['insert'] } },
  },
  { type: 'ai_document', displayName: 'Document', maxCount: 1, displayOptions: { show: { mode: ['update'] } } },
  {
    type: 'ai_reranker',
    displayName: 'Reranker',
    required: true,
    maxCount: 1,
    displayOptions: { show: { mode: searching, useReranker: [true] } },
  },
];

function leading(updates: boolean): NodeProperty[] {
  return [
    choice(
      'mode',
      'Operation Mode',
      choices(
        ['retrieve', 'Retrieve Documents (As Vector Store for Chain/Tool)', 'supplies the store to another node'],
        ['load', 'Get Many', 'finds documents for each item'],
        ['insert', 'Insert Documents', 'stores the documents of each item'],
        ['retrieve-as-tool', 'Retrieve Documents (As Tool for AI Agent)', 'supplies a tool that finds documents'],
        ...(updates ? [['update', 'Update Documents', 'replaces a document by its ID'] as [string, string, string]] : []),
      ),
    ),
    text('toolName', 'Name', 'Name of the tool for the model', when([1, 1.1, 1.2], { mode: ['retrieve-as-tool'] })),
    text('toolDescription', 'Description', 'When the model should use the tool', where({ mode: ['retrieve-as-tool'] })),
  ];
}

function trailing(members: readonly NodeProperty[]): NodeProperty[] {
  return [
    text('id', 'ID', 'ID of the document', { required: true, ...where({ mode: ['update'] }) }),
    text('prompt', 'Prompt', 'Text that the documents should be near', { required: true, ...where({ mode: ['load'] }) }),
    number('topK', 'Limit', 4, 'Most documents', where({ mode: ['load', 'retrieve-as-tool'] })),
    toggle('includeDocumentMetadata', 'Include Metadata', 'Whether documents have their metadata', {
      default: true,
      ...where({ mode: ['load', 'retrieve-as-tool'] }),
    }),
    toggle('useReranker', 'Rerank Results', 'Whether a reranker sorts the documents again', where({ mode: searching })),
    number(
      'embeddingBatchSize',
      'Embedding Batch Size',
      200,
      'Documents that are embedded at a time',
      where({ mode: ['insert'] }),
    ),
    options([
      ...members,
      list('metadata', 'Metadata Filter', 'metadataValues', [
        text('name', 'Name', 'Name of a value in the metadata'),
        text('value', 'Value', 'The value that documents must have'),
      ]),
    ]),
  ];
}
