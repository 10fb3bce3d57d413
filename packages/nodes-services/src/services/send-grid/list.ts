import { text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { pages } from './send-grid-client.ts';

const name = text('name', 'Name', 'Name of the list', { required: true });
const listId = text('listId', 'List ID', 'ID of the list', { required: true });
const defaultLimit = 100;
const pageSize = 100;

/** https://www.twilio.com/docs/sendgrid/api-reference/lists */
export const list: Resource = {
  displayName: 'List',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a list',
      properties: [name],
      run: (item) => item.send({ path: '/marketing/lists', json: { name: item.required('name') } }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a list',
      properties: [listId, toggle('deleteContacts', 'Delete Contacts', 'Whether to delete the contacts of the list, too')],
      run: (item) =>
        item.perform({
          method: 'DELETE',
          path: pathOf(item),
          query: { delete_contacts: item.toggle('deleteContacts') || undefined },
        }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a list',
      properties: [listId, toggle('contactSample', 'Contact Sample', 'Whether to return up to 50 contacts of the list, too')],
      run: (item) => item.send({ path: pathOf(item), query: { contact_sample: item.toggle('contactSample') || undefined } }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Gets lists',
      properties: listPropertiesOf(defaultLimit),
      run: (item) => {
        const limit = item.limit(defaultLimit);
        return item.list({ path: '/marketing/lists', query: { page_size: Math.min(limit, pageSize) } }, pages, limit);
      },
    },
    update: {
      displayName: 'Update',
      description: 'Renames a list',
      properties: [listId, name],
      run: (item) => item.send({ method: 'PATCH', path: pathOf(item), json: { name: item.required('name') } }),
    },
  },
};

const pathOf = (item: ServiceItem): string => `/marketing/lists/${encodeURIComponent(item.id('listId'))}`;
