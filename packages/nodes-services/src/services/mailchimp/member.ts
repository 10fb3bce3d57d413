import { isJsonObject, type JsonObject, type JsonValue, type NodeProperty } from '@sluice/node-sdk';
import {
  choice,
  choices,
  collection,
  list,
  names,
  namesParameter,
  options,
  text,
  toggle,
  where,
} from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { done, listed, listPath, memberPath, send, snakeCased } from './mailchimp-client.ts';

export const listProperty = text('list', 'List Name or ID', 'ID of the audience', {
  required: true,
  typeOptions: { loadOptionsMethod: 'getLists' },
});
export const email = text('email', 'Email', 'Email address of the member', { required: true });

const statuses = choices(
  ['cleaned', 'Cleaned'],
  ['pending', 'Pending'],
  ['subscribed', 'Subscribed'],
  ['transactional', 'Transactional'],
  ['unsubscribed', 'Unsubscribed'],
);
const emailType = choice('emailType', 'Email Type', choices(['html', 'HTML'], ['text', 'Text']));
const members: readonly NodeProperty[] = [
  emailType,
  text('ipOptIn', 'IP Opt In', 'Address from which the member confirmed'),
  text('ipSignup', 'IP Sign-Up', 'Address from which the member signed up'),
  text('language', 'Language', 'Code of the language, such as `en`'),
  names('tags', 'Tags', 'Names of tags, separated by commas'),
  text('timestampOptIn', 'Opt-in Timestamp', 'Time at which the member confirmed', { type: 'dateTime' }),
  text('timestampSignup', 'Sign-Up Timestamp', 'Time at which the member signed up', { type: 'dateTime' }),
  toggle('vip', 'VIP', 'Whether the member is a VIP'),
];

const mergeFields = list('mergeFieldsUi', 'Merge Fields', 'mergeFieldsValues', [
  text('name', 'Field Name or ID', 'Tag of the field, such as `FNAME`', {
    typeOptions: { loadOptionsMethod: 'getMergeFields' },
  }),
  text('value', 'Field Value', 'Value of the field'),
]);
const groups = list('groupsUi', 'Interest Groups', 'groupsValues', [
  text('categoryId', 'Category Name or ID', 'ID of the category', { typeOptions: { loadOptionsMethod: 'getGroupCategories' } }),
  text('categoryFieldId', 'Category Field ID', 'ID of the group'),
  toggle('value', 'Category Field Value', 'Whether the member is in the group'),
]);
const location = list(
  'locationFieldsUi',
  'Location',
  'locationFieldsValues',
  [text('latitude', 'Latitude', 'Latitude'), text('longitude', 'Longitude', 'Longitude')],
  { typeOptions: {} },
);
const asJson = (name: string, displayName: string, description: string): NodeProperty => ({
  displayName,
  name,
  type: 'json',
  default: '',
  description,
});
const jsonValues = [
  asJson('locationJson', 'Location', 'Such as `{"latitude": 1, "longitude": 2}`'),
  asJson('mergeFieldsJson', 'Merge Fields', 'Tag of a field → value'),
  asJson('groupJson', 'Interest Groups', 'ID of a group → whether the member is in it'),
];
const jsonToggle = toggle('jsonParameters', 'JSON Parameters', 'Whether fields, groups, and the location are JSON');

/** https://mailchimp.com/developer/marketing/api/list-members/ */
export const member: Resource = {
  displayName: 'Member',
  initial: 'create',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Adds a member to an audience',
      properties: [
        listProperty,
        email,
        choice('status', 'Status', statuses, { default: 'subscribed', required: true }),
        jsonToggle,
        options(members),
        ...[location, mergeFields, groups].map((property) => ({ ...property, ...where({ jsonParameters: [false] }) })),
        ...jsonValues.map((property) => ({ ...property, ...where({ jsonParameters: [true] }) })),
      ],
      run: (item) =>
        send(item, {
          path: `${listPath(item)}/members`,
          json: {
            email_address: item.required('email').trim(),
            status: item.text('status', 'subscribed'),
            ...membersOf(item, 'options'),
            ...valuesOf(item, ''),
          },
        }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a member permanently; it can only subscribe again by a form',
      properties: [listProperty, email],
      run: (item) => done(item, { method: 'POST', path: `${memberPath(item)}/actions/delete-permanent` }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a member',
      properties: [
        listProperty,
        email,
        options([
          text('fields', 'Fields', 'Fields to return, separated by commas'),
          text('excludeFields', 'Exclude Fields', 'Fields to leave out, separated by commas'),
        ]),
      ],
      run: (item) => send(item, { path: memberPath(item), query: snakeCased(item.fields('options')) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the members of an audience',
      properties: [
        listProperty,
        ...listPropertiesOf(),
        options([
          text('beforeLastChanged', 'Before Last Changed', 'Only members that changed before', { type: 'dateTime' }),
          text('beforeTimestampOpt', 'Before Timestamp Opt', 'Only members that confirmed before', { type: 'dateTime' }),
          emailType,
          text('excludeFields', 'Exclude Fields', 'Fields to leave out, such as `members.links`'),
          text('fields', 'Fields', 'Fields to return, such as `members.email_address,total_items`'),
          text('sinceLastChanged', 'Since Last Changed', 'Only members that changed since', { type: 'dateTime' }),
          text('sinceTimestampOpt', 'Since Timestamp Opt', 'Only members that confirmed since', { type: 'dateTime' }),
          choice('status', 'Status', statuses, { default: 'subscribed' }),
        ]),
      ],
      run: (item) => listed(item, `${listPath(item)}/members`, 'members', snakeCased(item.fields('options'))),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a member',
      properties: [
        listProperty,
        email,
        jsonToggle,
        collection('updateFields', 'Update Fields', [
          ...members.filter(({ name }) => name !== 'tags'),
          text('emailAddress', 'Email', 'New email address'),
          ...[location, mergeFields, groups].map((property) => ({ ...property, ...whereTop(false) })),
          toggle('skipMergeValidation', 'Skip Merge Validation', 'Whether required merge fields may be empty'),
          choice('status', 'Status', statuses, { default: 'subscribed' }),
        ]),
        ...jsonValues.map((property) => ({ ...property, ...where({ jsonParameters: [true] }) })),
      ],
      run: update,
    },
  },
};

/** Shown for a value of a parameter outside the collection. */
function whereTop(isJson: boolean) {
  return where({ '/jsonParameters': [isJson] });
}

const apiNames: ReadonlyMap<string, string> = new Map([
  ['ipOptIn', 'ip_opt'],
  ['timestampOptIn', 'timestamp_opt'],
]);
/** Collection members that are not API members. */
const special = new Set(['groupsUi', 'locationFieldsUi', 'mergeFieldsUi', 'skipMergeValidation', 'tags']);

function membersOf(item: ServiceItem, path: string): JsonObject {
  const fields = Object.entries(item.fields(path)).filter(([name]) => !special.has(name));
  const named = fields.map(([name, value]) => [apiNames.get(name) ?? name, value] as const);
  const tags = namesParameter(item.context, `${path}.tags`, item.index);
  return { ...snakeCased(Object.fromEntries(named)), ...(tags.length > 0 && { tags }) };
}

/** Merge fields, groups, and the location; `prefix`: the collection that contains them. */
function valuesOf(item: ServiceItem, prefix: string): JsonObject {
  if (item.toggle('jsonParameters')) {
    const read = (path: string, name: string) => unlessEmpty(name, objectIn(item, path));
    return {
      ...read('mergeFieldsJson', 'merge_fields'),
      ...read('groupJson', 'interests'),
      ...read('locationJson', 'location'),
    };
  }
  const [place] = item.entries(`${prefix}locationFieldsUi.locationFieldsValues`);
  return {
    ...unlessEmpty('merge_fields', pairsOf(item.entries(`${prefix}mergeFieldsUi.mergeFieldsValues`), 'name')),
    ...unlessEmpty('interests', pairsOf(item.entries(`${prefix}groupsUi.groupsValues`), 'categoryFieldId')),
    ...(place && {
      location: { latitude: coordinate(item, place, 'latitude'), longitude: coordinate(item, place, 'longitude') },
    }),
  };
}

/** Values by entry name; entries without a name are omitted. */
function pairsOf(entries: readonly JsonObject[], nameField: string): JsonObject {
  const named = entries.filter((entry) => (entry[nameField] ?? '') !== '');
  return Object.fromEntries(named.map((entry) => [asText(entry[nameField]), entry['value'] ?? ''] as const));
}

const unlessEmpty = (name: string, value: JsonObject): JsonObject => (Object.keys(value).length > 0 ? { [name]: value } : {});

function objectIn(item: ServiceItem, path: string): JsonObject {
  const value = item.json(path) ?? {};
  if (isJsonObject(value)) return value;
  throw item.error(`the parameter "${path}" is not a JSON object`, 'Set it to an object such as {"FNAME": "Ada"}');
}

function coordinate(item: ServiceItem, place: JsonObject, name: string): number {
  const value = Number(place[name] === '' ? Number.NaN : (place[name] ?? Number.NaN));
  if (Number.isFinite(value)) return value;
  throw item.error(`the ${name} is not a number`, 'Set it to degrees such as 52.5');
}

function update(item: ServiceItem): Promise<JsonValue | undefined> {
  const skip = item.toggle('updateFields.skipMergeValidation');
  const json = { ...membersOf(item, 'updateFields'), ...valuesOf(item, 'updateFields.') };
  return send(item, {
    method: 'PATCH',
    path: memberPath(item),
    query: { skip_merge_validation: skip ? true : undefined },
    json,
  });
}

const tagNames = names('tags', 'Tags', 'Names of tags, separated by commas', { required: true });

/** https://mailchimp.com/developer/marketing/api/list-member-tags/ */
function tagged(item: ServiceItem, status: 'active' | 'inactive'): Promise<JsonObject> {
  const chosenNames = namesParameter(item.context, 'tags', item.index);
  if (chosenNames.length === 0) throw item.error('the parameter "tags" is required', 'Name at least one tag');
  const json = { tags: chosenNames.map((name) => ({ name, status })), is_syncing: item.toggle('options.isSyncing') };
  return done(item, { path: `${memberPath(item)}/tags`, json });
}

const tagProperties: readonly NodeProperty[] = [
  listProperty,
  email,
  tagNames,
  options([toggle('isSyncing', 'Is Syncing', 'Whether the change starts no customer journeys')]),
];

export const memberTag: Resource = {
  displayName: 'Member Tag',
  initial: 'create',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Adds tags to a member',
      properties: tagProperties,
      run: (item) => tagged(item, 'active'),
    },
    delete: {
      displayName: 'Delete',
      description: 'Removes tags from a member',
      properties: tagProperties,
      run: (item) => tagged(item, 'inactive'),
    },
  },
};
