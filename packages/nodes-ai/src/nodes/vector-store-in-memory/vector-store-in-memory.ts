import { toggle, where } from '@sluice/nodes-base/node-tools';
import { defineVectorStore } from '../../shared/define-vector-store.ts';
import { modelIdOf, modelProperty } from '../../shared/model-list.ts';
import { ProjectVectors } from './project-vectors.ts';

const fallback = 'vector_store_key';

/** Named after the type in public workflows; Sluice stores the documents in its database. */
export const vectorStoreInMemory = defineVectorStore({
  name: 'vector-store-in-memory',
  service: 'a data table of the project',
  displayName: 'Simple Vector Store',
  updates: false,
  target: [
    modelProperty('memoryKey', fallback, {
      displayName: 'Memory Key',
      description: 'Name of the store in the project',
      typeOptions: {},
    }),
    toggle(
      'clearStore',
      'Clear Store',
      'Whether all documents are deleted before the first insert',
      where({ mode: ['insert'] }),
    ),
  ],
  open: (context, itemIndex) => {
    const key = modelIdOf(context, itemIndex, 'memoryKey', fallback, 'memory key');
    return new ProjectVectors(context, itemIndex, key);
  },
});
