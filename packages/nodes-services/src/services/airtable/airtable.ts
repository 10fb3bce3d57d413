import type { JsonObject, MethodContext, ResourceField } from '@sluice/node-sdk';
import { choice, choices, when, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { asText, objectsOf } from '../../shared/json-values.ts';
import { choicesFrom, matching } from '../../shared/list-choices.ts';
import { sendAll } from '../../shared/paging.ts';
import { chosenId } from '../../shared/service-item.ts';
import { airtableClient, pagesOf } from './airtable-client.ts';
import { baseUrl, mapped, noDownloads, tableUrl } from './airtable-properties.ts';
import { base } from './base.ts';
import { record } from './record.ts';

const token = choices(['airtableTokenApi', 'Access Token'], ['airtableOAuth2Api', 'OAuth2']);
const apiKey = choices(['airtableApi', 'API Key']);

export const airtable = defineService({
  displayName: 'Airtable',
  name: 'airtable',
  version: [1, ...mapped],
  defaultVersion: 2.2,
  description: 'Reads and writes records in Airtable',
  credentials: [
    { name: 'airtableApi', required: true, ...where({ authentication: ['airtableApi'] }) },
    { name: 'airtableTokenApi', required: true, ...where({ authentication: ['airtableTokenApi'] }) },
    { name: 'airtableOAuth2Api', required: true, ...where({ authentication: ['airtableOAuth2Api'] }) },
  ],
  icon: 'fa:table',
  iconColor: 'orange',
  client: airtableClient,
  // The options of other operations may still have the fields.
  unsupported: noDownloads('options.downloadFields').map((use) => ({ ...use, where: { operation: ['get', 'search', null] } })),
  leading: [
    choice('authentication', 'Authentication', [...apiKey, ...token], when([1])),
    choice('authentication', 'Authentication', token, when(mapped)),
  ],
  resources: { base, record },
  initial: 'record',
  methods: {
    listSearch: {
      baseSearch: async (context, filter) =>
        matching(choicesFrom(await sendAll(airtableClient, context, { path: '/meta/bases' }, pagesOf('bases'))), filter),
      tableSearch: async (context, filter) => matching(choicesFrom(await tablesOf(context)), filter),
    },
    resourceMapping: {
      getColumns: async (context) => ({ fields: (await columnsOf(context)).map(toField) }),
    },
  },
});

async function tablesOf(context: MethodContext): Promise<JsonObject[]> {
  const id = chosenId(context, context.typeVersion === 1 ? 'application' : 'base', baseUrl);
  return id === ''
    ? []
    : sendAll(airtableClient, context, { path: `/meta/bases/${encodeURIComponent(id)}/tables` }, pagesOf('tables'));
}

/** Writable fields of the selected table, and the ID, which identifies a record. */
async function columnsOf(context: MethodContext): Promise<JsonObject[]> {
  const wanted = chosenId(context, 'table', tableUrl);
  const table = (await tablesOf(context)).find(({ id, name }) => id === wanted || name === wanted);
  const fields = objectsOf(table?.['fields']);
  return [{ name: 'id', type: 'singleLineText' }, ...fields.filter(({ type = '' }) => !computed.has(asText(type)))];
}

function toField({ name = '', type = '' }: JsonObject): ResourceField {
  return { id: asText(name), displayName: asText(name), type: fieldTypes.get(asText(type)) ?? 'string' };
}

/** https://airtable.com/developers/web/api/field-model */
const fieldTypes: ReadonlyMap<string, string> = new Map([
  ['checkbox', 'boolean'],
  ['currency', 'number'],
  ['date', 'dateTime'],
  ['dateTime', 'dateTime'],
  ['duration', 'number'],
  ['multipleAttachments', 'array'],
  ['multipleCollaborators', 'array'],
  ['multipleRecordLinks', 'array'],
  ['multipleSelects', 'array'],
  ['number', 'number'],
  ['percent', 'number'],
  ['rating', 'number'],
]);
/** Types whose values Airtable sets itself. */
const computed = new Set([
  'aiText',
  'autoNumber',
  'button',
  'count',
  'createdBy',
  'createdTime',
  'externalSyncSource',
  'formula',
  'lastModifiedBy',
  'lastModifiedTime',
  'multipleLookupValues',
  'rollup',
]);
