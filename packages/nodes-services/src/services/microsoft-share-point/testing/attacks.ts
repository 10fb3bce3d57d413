import { type Attacks, accepted, columns, located, manyObjects, mapped } from '../../../testing/attack.ts';

const site = located('acme.sharepoint.com,s1,w1');
const list = located('l1');
const [large = {}] = [Object.assign({}, ...columns(50_000))];

export const attacks: Attacks = {
  'microsoft-share-point': () => [
    {
      name: 'many columns',
      parameters: { resource: 'item', operation: 'create', site, list, columns: mapped },
      items: [large],
      answer: accepted,
    },
    {
      name: 'many matching columns',
      parameters: {
        resource: 'item',
        operation: 'upsert',
        site,
        list,
        columns: { ...mapped, matchingColumns: Object.keys(large) },
      },
      items: [large],
      answer: () => '{"value":[]}',
    },
    {
      name: 'many items',
      parameters: { resource: 'item', operation: 'getAll', returnAll: true, site, list },
      answer: () => `{"value":${manyObjects(300_000)},"@odata.nextLink":"https://service.sharepoint.com/next"}`,
    },
  ],
};
