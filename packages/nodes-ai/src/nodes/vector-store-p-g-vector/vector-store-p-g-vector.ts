import { choice, choices, list, text, textParameter, toggle, where } from '@sluice/nodes-base/node-tools';
import { defineVectorStore } from '../../shared/define-vector-store.ts';
import { openPgVectors } from './pg-vectors.ts';

const single = { typeOptions: { multipleValues: false } };
const collected = where({ useCollection: [true] });

/** https://github.com/pgvector/pgvector, with the tables of LangChain. */
export const vectorStorePGVector = defineVectorStore({
  name: 'vector-store-p-g-vector',
  service: 'Postgres with pgvector',
  displayName: 'Postgres PGVector Store',
  credential: 'postgres',
  updates: false,
  target: [text('tableName', 'Table Name', 'May begin with a schema. A missing table is created', { default: 'n8n_vectors' })],
  options: [
    choice(
      'distanceStrategy',
      'Distance Strategy',
      choices(['cosine', 'Cosine'], ['innerProduct', 'Inner Product'], ['euclidean', 'Euclidean']),
    ),
    list(
      'collection',
      'Collection',
      'values',
      [
        toggle('useCollection', 'Use Collection', 'Whether the table has several collections of documents'),
        text('collectionName', 'Collection Name', 'The collection of this node', { default: 'n8n', ...collected }),
        text('collectionTable', 'Collection Table Name', 'The table with the names of the collections', {
          default: 'n8n_vector_collections',
          ...collected,
        }),
      ],
      single,
    ),
    list(
      'columnNames',
      'Column Names',
      'values',
      [
        text('idColumnName', 'ID Column Name', 'Column with the ID, a UUID', { default: 'id' }),
        text('vectorColumnName', 'Vector Column Name', 'Column with the vector', { default: 'embedding' }),
        text('contentColumnName', 'Content Column Name', 'Column with the text', { default: 'text' }),
        text('metadataColumnName', 'Metadata Column Name', 'Column with the metadata, as JSON', { default: 'metadata' }),
      ],
      single,
    ),
  ],
  open: (context, itemIndex) =>
    openPgVectors(context, itemIndex, textParameter(context, 'tableName', itemIndex) || 'n8n_vectors'),
});
