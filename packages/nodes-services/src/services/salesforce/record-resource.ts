import type { NodeProperty } from '@sluice/node-sdk';
import { collection, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import { filledFields } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { fieldProperties, recordOf, requiredField } from './record-fields.ts';
import { apiPath, recordPath, succeeded } from './salesforce-client.ts';
import { pages, queried, queryProperties } from './soql.ts';

/** A kind of record. */
export interface Kind {
  /** Name of the API: `Account`. */
  sobject: string;
  displayName: string;
  /** Parameter with the ID. */
  id: string;
  /** Parameters that a new record must have. */
  required: readonly string[];
  /** Parameters of further fields. */
  fields: readonly string[];
  /** API names of the fields that a list returns unless others are chosen. */
  listed: readonly string[];
  /** Whether a record can be found by an external ID. */
  hasExternalId?: boolean;
}

/** Create, change, read, list, and delete. */
export function recordResource(kind: Kind, more: Readonly<Record<string, Operation>> = {}): Resource {
  const { sobject, displayName } = kind;
  const name = displayName.toLowerCase();
  const one = /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
  const many = name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`;
  const id = idOf(kind);
  const fields = fieldProperties(kind.fields);
  const required = kind.required.map((field) => text(field, apiTitle(field), `Field of the ${name}`, { required: true }));
  const additional = collection('additionalFields', 'Additional Fields', fields);
  return {
    displayName,
    operations: {
      create: {
        displayName: 'Create',
        description: `Creates ${one}`,
        properties: [...required, additional],
        run: (item) => item.send({ path: recordPath(sobject), json: newRecord(item, kind) }),
      },
      ...(kind.hasExternalId && { upsert: upsert(kind, [...required, additional]) }),
      delete: {
        displayName: 'Delete',
        description: `Deletes ${one}`,
        properties: [id],
        run: async (item) => {
          await item.send({ method: 'DELETE', path: pathOf(item, kind) });
          return succeeded;
        },
      },
      get: {
        displayName: 'Get',
        description: `Gets ${one}`,
        properties: [id],
        run: (item) => item.send({ path: pathOf(item, kind) }),
      },
      getAll: {
        displayName: 'Get Many',
        description: `Lists ${many}`,
        properties: queryProperties,
        run: (item) => queried(item, sobject, kind.listed),
      },
      getSummary: {
        displayName: 'Get Summary',
        description: `Gets metadata of ${many}, and those that the user viewed last`,
        properties: [],
        run: (item) => item.send({ path: recordPath(sobject) }),
      },
      update: {
        displayName: 'Update',
        description: `Changes ${one}; fields that are not set are kept`,
        properties: [id, collection('updateFields', 'Update Fields', fieldProperties([...kind.required, ...kind.fields]))],
        run: async (item) => {
          await item.send({ method: 'PATCH', path: pathOf(item, kind), json: recordOf(item, 'updateFields') });
          return succeeded;
        },
      },
      ...more,
    },
  };
}

const apiTitle = (name: string): string =>
  name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/^./, (first) => first.toUpperCase());

export const idOf = ({ id, displayName }: Kind): NodeProperty =>
  text(id, `${displayName} ID`, `ID of the ${displayName.toLowerCase()}`, { required: true });

export const pathOf = (item: ServiceItem, { sobject, id }: Kind): string => recordPath(sobject, item.id(id).trim());

const newRecord = (item: ServiceItem, { required }: Kind) =>
  Object.assign({}, ...required.map((name) => requiredField(item, name)), recordOf(item, 'additionalFields'));

function upsert(kind: Kind, properties: readonly NodeProperty[]): Operation {
  return {
    displayName: 'Create or Update',
    description: 'Creates a record, or changes the record with this external ID',
    properties: [...externalId, ...properties],
    run: (item) => item.send({ method: 'PATCH', path: externalPath(item, kind.sobject), json: newRecord(item, kind) }),
  };
}

export const externalId: readonly NodeProperty[] = [
  text('externalId', 'Match Against', 'API name of the field with the external ID', {
    required: true,
    typeOptions: { loadOptionsMethod: 'getExternalIdFields' },
  }),
  text('externalIdValue', 'Value to Match', 'The external ID', { required: true }),
];

export const externalPath = (item: ServiceItem, sobject: string): string =>
  recordPath(sobject, item.required('externalId').trim(), item.required('externalIdValue'));

/** Adds a note to a record. */
export function addNote(kind: Kind): Operation {
  return {
    displayName: 'Add Note',
    description: 'Adds a note to the record',
    properties: [
      idOf(kind),
      text('title', 'Title', 'Title of the note', { required: true }),
      collection('options', 'Options', [
        text('body', 'Body', 'Text of the note'),
        toggle('isPrivate', 'Is Private', 'Whether only its owner sees the note'),
        text('owner', 'Owner Name or ID', 'ID of the user who owns the note'),
      ]),
    ],
    run: (item) => {
      const { body, isPrivate, owner } = item.fields('options');
      return item.send({
        path: recordPath('Note'),
        json: {
          Title: item.required('title'),
          ParentId: item.id(kind.id),
          ...filledFields({ Body: body, IsPrivate: isPrivate, OwnerId: owner }),
        },
      });
    },
  };
}

/** Adds a lead or contact to a campaign. */
export function addToCampaign(kind: Kind): Operation {
  return {
    displayName: 'Add to Campaign',
    description: 'Adds the record to a campaign',
    properties: [
      idOf(kind),
      text('campaignId', 'Campaign Name or ID', 'ID of the campaign', { required: true }),
      collection('options', 'Options', [text('status', 'Status', 'Status in the campaign')]),
    ],
    run: (item) => {
      const { status } = item.fields('options');
      return item.send({
        path: recordPath('CampaignMember'),
        json: {
          [`${kind.sobject}Id`]: item.id(kind.id),
          CampaignId: item.id('campaignId'),
          ...(status !== undefined && { Status: status }),
        },
      });
    },
  };
}

/** Runs a query that the author wrote. */
export const search: Resource = {
  displayName: 'Search',
  operations: {
    query: {
      displayName: 'Query',
      description: 'Runs a SOQL query',
      properties: [
        text('query', 'Query', 'SOQL, such as `SELECT Id, Name FROM Account`; values of expressions are not quoted', {
          required: true,
        }),
      ],
      run: (item) =>
        item.list({ path: apiPath('/query'), query: { q: item.required('query') } }, pages, Number.POSITIVE_INFINITY),
    },
  },
};
