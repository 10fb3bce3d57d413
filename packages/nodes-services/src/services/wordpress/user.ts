import type { NodeProperty } from '@sluice/node-sdk';
import { collection, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { membersOf, pageSize, pages, queryOf } from './wordpress-client.ts';
import { context, listProperties, userFields, userFilters } from './wordpress-properties.ts';

const userId = text('userId', 'User ID', 'ID of the user', { required: true });
const password: NodeProperty = text('password', 'Password', 'Password of the user', { typeOptions: { password: true } });
const names = [
  text('name', 'Name', 'Name that the site shows'),
  text('firstName', 'First Name', 'First name of the user'),
  text('lastName', 'Last Name', 'Last name of the user'),
  text('email', 'Email', 'Email address of the user'),
];

export const user: Resource = {
  displayName: 'User',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a user',
      properties: [
        text('username', 'Username', 'Name for the login', { required: true }),
        ...names.map((property) => ({ ...property, required: true })),
        { ...password, required: true },
        collection('additionalFields', 'Additional Fields', userFields),
      ],
      run: (item) =>
        item.send({
          path: '/users',
          json: {
            username: item.required('username'),
            name: item.required('name'),
            first_name: item.required('firstName'),
            last_name: item.required('lastName'),
            email: item.required('email'),
            password: item.required('password'),
            ...membersOf(item, 'additionalFields'),
          },
        }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a user',
      properties: [userId, collection('options', 'Options', [context])],
      run: (item) => item.send({ path: `/users/${encodeURIComponent(item.id('userId'))}`, query: queryOf(item, 'options') }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists users',
      properties: [...listProperties, collection('options', 'Options', userFilters)],
      run: (item) =>
        item.list(
          { path: '/users', query: { per_page: Math.min(item.limit(), pageSize), ...queryOf(item, 'options') } },
          pages,
        ),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a user',
      properties: [userId, collection('updateFields', 'Update Fields', [...names, password, ...userFields])],
      run: (item) =>
        item.send({ path: `/users/${encodeURIComponent(item.id('userId'))}`, json: membersOf(item, 'updateFields') }),
    },
  },
};
