import { text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { operationsOn } from './to-do-client.ts';

const displayName = text('displayName', 'List Name', 'Name of the list', { required: true });
const named = { properties: [displayName], bodyOf: (item: ServiceItem) => ({ displayName: item.required('displayName') }) };

/** https://learn.microsoft.com/graph/api/resources/todotasklist */
export const list: Resource = {
  displayName: 'List',
  initial: 'getAll',
  operations: operationsOn({
    one: 'a list',
    many: 'lists',
    parents: [],
    id: text('listId', 'List ID', 'ID of the list', { required: true }),
    pathOf: () => '/lists',
    create: named,
    update: named,
  }),
};
