import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, list, names, namesParameter, number, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { customOf, customProperties } from './custom-fields.ts';
import { associated, associateWith } from './deal.ts';
import { dataOf, listed, numeric, pathOf } from './pipedrive-client.ts';
import { idOf, listProperties } from './records.ts';

const title = text('title', 'Title', 'Title of the lead');
const organizationId = text('organization_id', 'Organization ID', 'ID of the organization');
const personId = text('person_id', 'Person ID', 'ID of the person');
const fields: readonly NodeProperty[] = [
  customProperties,
  text('expected_close_date', 'Expected Close Date', 'Day on which the lead may close, such as `2026-01-31`'),
  names('label_ids', 'Labels', 'IDs of labels'),
  organizationId,
  text('owner_id', 'Owner ID', 'ID of the user who owns it'),
  personId,
  list(
    'value',
    'Value',
    'valueProperties',
    [number('amount', 'Amount', 0, 'The amount'), text('currency', 'Currency', 'Three letters of the currency')],
    { typeOptions: { multipleValues: false } },
  ),
];
const leads = '/api/v1/leads';

/** https://developers.pipedrive.com/docs/api/v1/Leads */
export const lead: Resource = {
  displayName: 'Lead',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a lead',
      properties: [
        { ...title, required: true },
        ...associateWith(organizationId),
        collection('additionalFields', 'Additional Fields', fields),
      ],
      async run(item) {
        const own = numbered({ title: item.required('title'), ...associated(item, 'organization_id') });
        return dataOf(item, { path: leads, json: { ...own, ...(await leadOf(item, 'additionalFields')) } });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a lead',
      properties: [idOf('lead')],
      run: (item) => item.perform({ method: 'DELETE', path: pathOf(item, leads, 'leadId') }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a lead',
      properties: [idOf('lead')],
      run: (item) => dataOf(item, { path: pathOf(item, leads, 'leadId') }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists leads',
      properties: [
        ...listProperties,
        collection('filters', 'Filters', [
          choice(
            'archived_status',
            'Archived Status',
            choices(['not_archived', 'Not Archived'], ['archived', 'Archived'], ['all', 'All']),
          ),
          organizationId,
          personId,
        ]),
      ],
      async run(item) {
        const { archived_status: status = 'not_archived', ...query } = item.fields('filters');
        if (status === 'archived') return listed(item, `${leads}/archived`, query);
        const active = await listed(item, leads, query);
        const limit = item.limit(100);
        if (status !== 'all' || active.length >= limit) return active;
        return [...active, ...(await listed(item, `${leads}/archived`, query))].slice(0, limit);
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes a lead',
      properties: [idOf('lead'), collection('updateFields', 'Update Fields', [title, ...fields])],
      run: async (item) =>
        dataOf(item, { method: 'PATCH', path: pathOf(item, leads, 'leadId'), json: await leadOf(item, 'updateFields') }),
    },
  },
};

const ids = new Set(['organization_id', 'owner_id', 'person_id']);

const numbered = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, ids.has(name) ? numeric(value) : value]));

async function leadOf(item: ServiceItem, path: string): Promise<JsonObject> {
  const { customProperties: _, label_ids: _labels, value: _value, ...members } = item.fields(path);
  const labels = namesParameter(item.context, `${path}.label_ids`, item.index);
  const [value] = item.entries(`${path}.value.valueProperties`);
  const { custom_fields: custom, ...usual } = await customOf(item, path, 'deal');
  return {
    ...numbered(members),
    ...usual,
    ...(custom !== undefined && (custom as JsonObject)),
    ...(labels.length > 0 && { label_ids: labels }),
    ...(value && { value: { amount: numeric(value['amount'] ?? 0), currency: value['currency'] ?? '' } }),
  };
}

const targets: readonly NodeProperty[] = [
  text('deal_id', 'Deal ID', 'ID of the deal'),
  text('lead_id', 'Lead ID', 'ID of the lead'),
  text('org_id', 'Organization ID', 'ID of the organization'),
  text('person_id', 'Person ID', 'ID of the person'),
];
const content = text('content', 'Content', 'Text of the note, as HTML', { typeOptions: { rows: 5 } });
const notes = '/api/v1/notes';

const noteOf = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, name.endsWith('_id') ? numeric(value) : value]));

/** https://developers.pipedrive.com/docs/api/v1/Notes */
export const note: Resource = {
  displayName: 'Note',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Adds a note to a deal, lead, organization, or person',
      properties: [{ ...content, required: true }, collection('additionalFields', 'Additional Fields', targets)],
      run: (item) => {
        const json = { content: item.required('content'), ...noteOf(item.fields('additionalFields')) };
        return dataOf(item, { path: notes, json });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a note',
      properties: [idOf('note')],
      run: (item) => item.perform({ method: 'DELETE', path: pathOf(item, notes, 'noteId') }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a note',
      properties: [idOf('note')],
      run: (item) => dataOf(item, { path: pathOf(item, notes, 'noteId') }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists notes',
      properties: [...listProperties, collection('additionalFields', 'Additional Fields', targets)],
      run: (item) => listed(item, notes, item.fields('additionalFields')),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a note',
      properties: [idOf('note'), collection('updateFields', 'Update Fields', [content, ...targets])],
      run: (item) =>
        dataOf(item, { method: 'PUT', path: pathOf(item, notes, 'noteId'), json: noteOf(item.fields('updateFields')) }),
    },
  },
};
