import { text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import { pageSize, pages, pathOf } from './notion-client.ts';
import { listProperties } from './notion-properties.ts';

export const user: Resource = {
  displayName: 'User',
  operations: {
    get: {
      displayName: 'Get',
      description: 'Gets a user',
      properties: [text('userId', 'User ID', 'ID of the user', { required: true })],
      run: (item) => item.send({ path: pathOf('users', item.id('userId')) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the users of the workspace',
      properties: listProperties,
      run: (item) => item.list({ path: '/users', query: { page_size: asText(Math.min(item.limit(), pageSize)) } }, pages),
    },
  },
};
