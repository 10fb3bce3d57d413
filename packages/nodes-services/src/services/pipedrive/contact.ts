import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, names, text, when } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText, textOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { chosenFrom } from './pipedrive-options.ts';
import { exactMatch, recordOperations, searchOperation } from './records.ts';

const name = text('name', 'Name', 'The name');
export const visibleTo = choice(
  'visible_to',
  'Visible To',
  choices(
    ['1', 'Owner & Followers'],
    ['3', 'Entire Company'],
    ['5', "Owner's Group"],
    ['7', "Owner's Group and Its Subgroups"],
  ),
  { default: '3' },
);
const label = names('label', 'Label', 'IDs of labels');
export const labelIds = names('label_ids', 'Label IDs', 'IDs of labels', when([2]));
export const ownerId = text('owner_id', 'Owner ID', 'ID of the user who owns it', chosenFrom('getUserIds'));
const shared: readonly NodeProperty[] = [label, labelIds, ownerId, visibleTo];
const filterId = text('filterId', 'Filter ID', 'ID of a filter that the records match', chosenFrom('getFilters'));
const firstChar = text('firstChar', 'First Letter', 'First letter of the name; the whole list is read for it');
const organizationId = text('organizationId', 'Organization ID', 'Only those of this organization');

/** Only records whose name starts with a given letter. */
function byLetter(item: ServiceItem, path: string): ((record: JsonObject) => boolean) | undefined {
  const letter = textOf(item.fields(path)['firstChar']).toLowerCase();
  return letter === '' ? undefined : (record) => textOf(record['name']).toLowerCase().startsWith(letter);
}

function queryOf(item: ServiceItem, path: string): JsonObject {
  const { filterId: filter, sort } = item.fields(path);
  return { ...(filter !== undefined && { filter_id: filter }), ...(sort !== undefined && sortOf(item, asText(sort))) };
}

/** `add_time DESC` */
function sortOf(item: ServiceItem, sort: string): JsonObject {
  const [, field = '', direction = 'asc'] =
    /^(add_time|id|update_time)(?: +(asc|desc))?$/i.exec(sort.trim().slice(0, 100)) ?? [];
  if (field === '')
    throw item.error(
      'Pipedrive does not sort by this field',
      'Sort by `add_time`, `id`, or `update_time`, with `ASC` or `DESC`',
    );
  return { sort_by: field.toLowerCase(), sort_direction: direction.toLowerCase() };
}

/** https://developers.pipedrive.com/docs/api/v1/Persons */
export const person: Resource = {
  displayName: 'Person',
  operations: {
    ...recordOperations({
      noun: 'person',
      plural: 'persons',
      required: [name],
      fields: [
        names('email', 'Email', 'Email addresses; the first is the main one', { typeOptions: { multipleValues: true } }),
        names('phone', 'Phone', 'Phone numbers; the first is the main one', { typeOptions: { multipleValues: true } }),
        text('org_id', 'Organization ID', 'ID of the organization', chosenFrom('getOrganizationIds')),
        choice(
          'marketing_status',
          'Marketing Status',
          choices(
            ['no_consent', 'No Consent'],
            ['unsubscribed', 'Unsubscribed'],
            ['subscribed', 'Subscribed'],
            ['archived', 'Archived'],
          ),
          { default: 'subscribed' },
        ),
        ...shared,
      ],
      filters: [
        collection('additionalFields', 'Additional Fields', [
          filterId,
          firstChar,
          text('sort', 'Sort', 'Field and direction, such as `add_time DESC`'),
        ]),
      ],
      queryOf: (item) => queryOf(item, 'additionalFields'),
      keepOf: (item) => byLetter(item, 'additionalFields'),
    }),
    search: searchOperation('persons', [
      exactMatch,
      names('includeFields', 'Include Fields', 'Fields to return in addition, such as `person.picture`'),
      organizationId,
    ]),
  },
};

/** https://developers.pipedrive.com/docs/api/v1/Organizations */
export const organization: Resource = {
  displayName: 'Organization',
  operations: {
    ...recordOperations({
      noun: 'organization',
      plural: 'organizations',
      required: [name],
      fields: shared,
      filters: [collection('filters', 'Filters', [filterId, firstChar])],
      queryOf: (item) => queryOf(item, 'filters'),
      keepOf: (item) => byLetter(item, 'filters'),
    }),
    search: searchOperation('organizations', [exactMatch]),
  },
};
