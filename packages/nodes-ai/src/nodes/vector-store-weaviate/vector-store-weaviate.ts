import { text, toggle, weaviateAddress } from '@sluice/nodes-base/node-tools';
import { defineVectorStore } from '../../shared/define-vector-store.ts';
import { modelProperty } from '../../shared/model-list.ts';
import { openWeaviateCollection, weaviateCredential } from './weaviate-collection.ts';

/** https://docs.weaviate.io/weaviate/api/rest and https://docs.weaviate.io/weaviate/api/graphql */
export const vectorStoreWeaviate = defineVectorStore({
  name: 'vector-store-weaviate',
  service: 'Weaviate',
  credential: weaviateCredential,
  updates: false,
  target: [
    modelProperty('weaviateCollection', '', {
      displayName: 'Weaviate Collection',
      description: 'The collection: from the list, or by name. A missing one is created',
    }),
  ],
  options: [
    text('searchFilterJson', 'Search Filters', 'JSON: `AND` or `OR` with a list of conditions in the form of Weaviate', {
      type: 'json',
    }),
    text('metadataKeys', 'Metadata Keys', 'Properties to return, separated by commas; empty: all'),
    text('tenant', 'Tenant Name', 'The tenant of a collection with several; a new collection is created with tenants'),
    text('textKey', 'Text Key', 'Property with the text', { default: 'text' }),
    toggle('clearStore', 'Clear Data', 'Whether the collection or the tenant is emptied before the first insert'),
  ],
  list: {
    url: (data) => `${weaviateAddress(data)}/v1/schema`,
    member: 'classes',
    option: ({ class: name }) => (typeof name === 'string' ? { name, value: name } : undefined),
  },
  open: openWeaviateCollection,
});
