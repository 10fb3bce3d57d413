import { collection, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { isCloud } from './jira-client.ts';

const accountId = text('accountId', 'Account ID', 'Account ID of the user; on a server, the key', { required: true });

const queryOf = (item: ServiceItem) => ({ [isCloud(item.access) ? 'accountId' : 'key']: item.required('accountId') });

export const user: Resource = {
  displayName: 'User',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a user',
      properties: [
        text('username', 'Username', 'Name of the user', { required: true }),
        text('emailAddress', 'Email Address', 'Email address of the user', { required: true }),
        text('displayName', 'Display Name', 'Name that Jira shows', { required: true }),
        collection('additionalFields', 'Additional Fields', [
          text('password', 'Password', 'Password of the user; default: Jira sets one', { typeOptions: { password: true } }),
        ]),
      ],
      run: (item) =>
        item.send({
          path: '/2/user',
          json: {
            name: item.required('username'),
            emailAddress: item.required('emailAddress'),
            displayName: item.required('displayName'),
            ...(isCloud(item.access) && { products: [] }),
            ...item.fields('additionalFields'),
          },
        }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a user',
      properties: [accountId],
      run: (item) => item.perform({ method: 'DELETE', path: '/2/user', query: queryOf(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a user',
      properties: [
        accountId,
        collection('additionalFields', 'Additional Fields', [
          text('expand', 'Expand', 'Further data: `groups,applicationRoles`'),
        ]),
      ],
      run: (item) => item.send({ path: '/2/user', query: { ...queryOf(item), ...item.fields('additionalFields') } }),
    },
  },
};
