import { text } from '@sluice/nodes-base/node-tools';
import { defineVectorStore } from '../../shared/define-vector-store.ts';
import { modelProperty } from '../../shared/model-list.ts';
import { openMongoVectors } from './mongo-vectors.ts';

/** https://www.mongodb.com/docs/atlas/atlas-vector-search/vector-search-stage/ */
export const vectorStoreMongoDBAtlas = defineVectorStore({
  name: 'vector-store-mongo-d-b-atlas',
  service: 'MongoDB Atlas',
  credential: 'mongoDb',
  updates: false,
  target: [
    modelProperty('mongoCollection', '', {
      displayName: 'MongoDB Collection',
      description: 'Name of the collection',
      typeOptions: {},
    }),
    text('embedding', 'Embedding', 'Field with the vector', { default: 'embedding' }),
    text('metadata_field', 'Metadata Field', 'Field with the text; each metadata value has its own field', { default: 'text' }),
    text(
      'vectorIndexName',
      'Vector Index Name',
      'The vector search index of the collection; a metadata filter needs its fields as `filter`',
      {
        required: true,
      },
    ),
  ],
  open: openMongoVectors,
});
