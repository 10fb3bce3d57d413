import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, names, namesParameter, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { found, id, listed, listProperties, pairs, pairsIn, pathOf, sendFor } from './zendesk-client.ts';

interface Kind {
  displayName: string;
  /** Singular name in the API: `user`. */
  noun: string;
  /** Member with custom fields: `user_fields`. */
  ownFields: string;
  /** Parameter with them, its group, and more fields. */
  ui: readonly [name: string, group: string];
  fields: readonly NodeProperty[];
  lists: readonly string[];
  more: Readonly<Record<string, Operation>>;
}

const organizationId = id('Organization');
const userId = id('User');

const roles = choices(['end-user', 'End User'], ['agent', 'Agent'], ['admin', 'Admin']);
const userFields: readonly NodeProperty[] = [
  text('alias', 'Alias', 'Name that end users see'),
  text('details', 'Details', 'Notes about the user'),
  text('email', 'Email', 'Email address of the user'),
  text('external_id', 'External ID', 'ID of the user elsewhere'),
  text('locale', 'Locale', 'Language of the user, such as `en-US`'),
  toggle('moderator', 'Moderator', 'Whether the user may moderate'),
  text('notes', 'Notes', 'Notes about the user'),
  text('organization_id', 'Organization ID', 'ID of the organization'),
  text('phone', 'Phone', 'Phone number of the user'),
  choice('role', 'Role', roles),
  text('signature', 'Signature', 'Signature of an agent'),
  toggle('suspended', 'Suspended', 'Whether the user is suspended'),
  names('tags', 'Tags', 'Tags of the user'),
  text('time_zone', 'Time Zone', 'Time zone of the user'),
  toggle('verified', 'Verified', 'Whether the address is verified'),
];
const organizationFields: readonly NodeProperty[] = [
  text('details', 'Details', 'Details of the organization'),
  names('domain_names', 'Domain Names', 'Domains of the organization'),
  text('external_id', 'External ID', 'ID of the organization elsewhere'),
  text('notes', 'Notes', 'Notes about the organization'),
  names('tags', 'Tags', 'Tags of the organization'),
];

/** https://developer.zendesk.com/api-reference/ticketing/users/users/ */
export const user = resourceOf({
  displayName: 'User',
  noun: 'user',
  ownFields: 'user_fields',
  ui: ['userFieldsUi', 'userFieldValues'],
  fields: userFields,
  lists: ['tags'],
  more: {
    getOrganizations: {
      displayName: 'Get Organizations',
      description: 'Lists the organizations of a user',
      properties: [userId],
      run: (item) => listed(item, { path: pathOf(item, 'users', '/organizations') }, 'organizations', Number.POSITIVE_INFINITY),
    },
    getRelatedData: {
      displayName: 'Get Related Data',
      description: 'Counts what belongs to a user',
      properties: [userId],
      run: (item) => sendFor(item, { path: pathOf(item, 'users', '/related') }, 'user_related'),
    },
    search: {
      displayName: 'Search',
      description: 'Finds users',
      properties: [
        ...listProperties,
        collection('filters', 'Filters', [
          text('query', 'Query', 'Text in name, address, or notes'),
          text('external_id', 'External ID', 'ID of the user elsewhere'),
        ]),
      ],
      run: (item) => found(item, { path: '/users/search', query: item.fields('filters') }, 'users'),
    },
  },
});

/** https://developer.zendesk.com/api-reference/ticketing/organizations/organizations/ */
export const organization = resourceOf({
  displayName: 'Organization',
  noun: 'organization',
  ownFields: 'organization_fields',
  ui: ['organizationFieldsUi', 'organizationFieldValues'],
  fields: organizationFields,
  lists: ['domain_names', 'tags'],
  more: {
    count: {
      displayName: 'Count',
      description: 'Counts the organizations',
      properties: [],
      run: (item) => sendFor(item, { path: '/organizations/count' }, 'count'),
    },
    getRelatedData: {
      displayName: 'Get Related Data',
      description: 'Counts what belongs to an organization',
      properties: [organizationId],
      run: (item) => sendFor(item, { path: pathOf(item, 'organizations', '/related') }, 'organization_related'),
    },
  },
});

/** Users and organizations have the same operations. */
function resourceOf({ displayName, noun, ownFields, ui, fields, lists, more }: Kind): Resource {
  const plural = `${noun}s`;
  const all = [...fields, pairs(ui[0], `${displayName} Fields`, ui[1], 'field')];
  const name = text('name', 'Name', `Name of the ${noun}`);
  const valuesOf = (item: ServiceItem, path: string): JsonObject => {
    const { [ui[0]]: _, ...members } = item.fields(path);
    const own = pairsIn(item, `${path}.${ui[0]}.${ui[1]}`, 'field');
    const several = lists.flatMap((member): [string, JsonValue][] => {
      const chosenNames = namesParameter(item.context, `${path}.${member}`, item.index);
      return chosenNames.length > 0 ? [[member, chosenNames]] : [];
    });
    return { ...members, ...Object.fromEntries(several), ...(Object.keys(own).length > 0 && { [ownFields]: own }) };
  };
  return {
    displayName,
    operations: {
      create: {
        displayName: 'Create',
        description: `Creates one ${noun}`,
        properties: [{ ...name, required: true }, collection('additionalFields', 'Additional Fields', all)],
        run: (item) => {
          const json = { [noun]: { name: item.required('name'), ...valuesOf(item, 'additionalFields') } };
          return sendFor(item, { path: `/${plural}`, json }, noun);
        },
      },
      delete: {
        displayName: 'Delete',
        description: `Deletes one ${noun}`,
        properties: [id(displayName)],
        run: (item) => item.perform({ method: 'DELETE', path: pathOf(item, plural) }),
      },
      get: {
        displayName: 'Get',
        description: `Gets one ${noun}`,
        properties: [id(displayName)],
        run: (item) => sendFor(item, { path: pathOf(item, plural) }, noun),
      },
      getAll: {
        displayName: 'Get Many',
        description: `Lists ${plural}`,
        properties: [
          ...listProperties,
          collection('filters', 'Filters', [{ ...choice('role', 'Role', roles), description: 'Only users with this role' }]),
        ],
        run: (item) => listed(item, { path: `/${plural}`, query: item.fields('filters') }, plural),
      },
      update: {
        displayName: 'Update',
        description: `Changes one ${noun}`,
        properties: [id(displayName), collection('updateFields', 'Update Fields', [name, ...all])],
        run: (item) => {
          const json = { [noun]: valuesOf(item, 'updateFields') };
          return sendFor(item, { method: 'PUT', path: pathOf(item, plural), json }, noun);
        },
      },
      ...more,
    },
  };
}
