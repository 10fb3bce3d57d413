import type { NodeProperty } from '@sluice/node-sdk';
import { collection, names, namesParameter, number, text } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { listed, listProperties, sendFor } from './shopify-client.ts';

const place: readonly NodeProperty[] = [
  text('inventoryItemId', 'Inventory Item ID', 'ID of the inventory item of a variant', { required: true }),
  text('locationId', 'Location ID', 'ID of the location', { required: true }),
];
const placeOf = (item: ServiceItem) => ({
  inventory_item_id: item.id('inventoryItemId').trim(),
  location_id: item.id('locationId').trim(),
});

/** A change of the available quantity, by a parameter that Shopify calls `member`. */
const change = (path: string, parameter: NodeProperty, member: string) =>
  ({
    properties: [...place, parameter],
    run: (item) => {
      const json = { ...placeOf(item), [member]: item.number(parameter.name, 0) };
      return sendFor(item, { path: `/inventory_levels/${path}.json`, json }, 'inventory_level');
    },
  }) satisfies Partial<Operation>;

/** https://shopify.dev/docs/api/admin-rest/latest/resources/inventorylevel */
export const inventoryLevel: Resource = {
  displayName: 'Inventory Level',
  initial: 'getAll',
  operations: {
    adjust: {
      displayName: 'Adjust',
      description: 'Increases or decreases the available quantity',
      ...change(
        'adjust',
        number('availableAdjustment', 'Adjustment', 0, 'Pieces to add; negative ones are taken away', { required: true }),
        'available_adjustment',
      ),
    },
    connect: {
      displayName: 'Connect',
      description: 'Stocks an inventory item at a location',
      properties: place,
      run: (item) => sendFor(item, { path: '/inventory_levels/connect.json', json: placeOf(item) }, 'inventory_level'),
    },
    delete: {
      displayName: 'Delete',
      description: 'Removes an inventory item from a location',
      properties: place,
      run: (item) => item.perform({ method: 'DELETE', path: '/inventory_levels.json', query: placeOf(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the available quantities of items or locations; at least one item or location is required',
      properties: [
        ...listProperties,
        collection('filters', 'Filters', [
          names('inventoryItemIds', 'Inventory Item IDs', 'IDs of inventory items, 50 at most'),
          names('locationIds', 'Location IDs', 'IDs of locations, 50 at most'),
        ]),
      ],
      run: (item) => {
        const idsOf = (name: string) => namesParameter(item.context, `filters.${name}`, item.index).join();
        const query = { inventory_item_ids: idsOf('inventoryItemIds'), location_ids: idsOf('locationIds') };
        return listed(item, 'inventory_levels', query);
      },
    },
    set: {
      displayName: 'Set',
      description: 'Sets the available quantity',
      ...change('set', number('available', 'Available', 0, 'Available pieces', { required: true }), 'available'),
    },
  },
};
