import type { Resource } from '../../shared/define-service.ts';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import { listProperties, regionCode } from './you-tube-properties.ts';

export const videoCategory: Resource = {
  displayName: 'Video Category',
  operations: {
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the categories of videos in a country',
      properties: [{ ...regionCode, required: true }, ...listProperties],
      async run(item) {
        const query = { part: 'snippet', regionCode: item.required('regionCode') };
        const { items } = objectOf(await item.send({ path: '/videoCategories', query }));
        return objectsOf(items).slice(0, item.limit(25));
      },
    },
  },
};
