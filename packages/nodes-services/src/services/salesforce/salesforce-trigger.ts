import { type JsonObject, NodeOperationError, type NodeType, type PollContext, pollTimesProperty } from '@sluice/node-sdk';
import { choice, choiceParameter, requiredText, text, where } from '@sluice/nodes-base/node-tools';
import { accessOf } from '../../shared/api-client.ts';
import { objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { apiPath, salesforceClient } from './salesforce-client.ts';

const objects: readonly (readonly [value: string, name: string])[] = [
  ['account', 'Account'],
  ['attachment', 'Attachment'],
  ['case', 'Case'],
  ['contact', 'Contact'],
  ['customObject', 'Custom Object'],
  ['lead', 'Lead'],
  ['opportunity', 'Opportunity'],
  ['task', 'Task'],
  ['user', 'User'],
];
const events = objects.flatMap(([value, name]) => [
  { value: `${value}Created`, name: `${name} Created` },
  { value: `${value}Updated`, name: `${name} Updated` },
]);

/**
 * Salesforce limits a query of all fields to this number of records. The next poll continues after
 * them.
 */
const maxRecords = 200;

/** Starts with records that were created or changed since the last poll. */
export const salesforceTrigger: NodeType = {
  description: {
    displayName: 'Salesforce Trigger',
    name: 'salesforce-trigger',
    group: ['trigger'],
    version: 1,
    description:
      'Starts the workflow when Salesforce has new or changed records, with one item per record. Records of the first poll count as known. A manual run outputs the latest record',
    defaults: { name: 'Salesforce Trigger' },
    inputs: [],
    outputs: ['main'],
    polling: true,
    icon: 'fa:cloud',
    iconColor: 'blue',
    credentials: [{ name: 'salesforceOAuth2Api', required: true }],
    properties: [
      pollTimesProperty,
      choice('triggerOn', 'Trigger On', events, { required: true }),
      text('customObject', 'Custom Object Name or ID', 'API name of the object, which ends in `__c`', {
        required: true,
        ...where({ triggerOn: ['customObjectCreated', 'customObjectUpdated'] }),
      }),
    ],
  },
  async poll(context) {
    const records = context.mode === 'manual' ? await latest(context) : await newRecords(context);
    return records.length > 0 ? records.map((json) => ({ json })) : null;
  },
};

/** The records after the stored position, by time and ID; stores the position of the last one. */
async function newRecords(context: PollContext): Promise<JsonObject[]> {
  const { cursor } = context;
  const { field, isUpdate } = eventOf(context);
  if (!cursor) {
    const [record] = await latest(context);
    context.saveCursor(positionOf(record ?? {}, field));
    return [];
  }
  const records = await query(context, { ...after(cursor, field), limit: maxRecords });
  const last = records.at(-1);
  context.saveCursor(last ? positionOf(last, field) : cursor);
  return isUpdate ? records.filter(({ CreatedDate, LastModifiedDate }) => CreatedDate !== LastModifiedDate) : records;
}

function latest(context: PollContext): Promise<JsonObject[]> {
  const { field } = eventOf(context);
  return query(context, { where: '', order: `${field} DESC, Id DESC`, limit: 1 });
}

/** Position of a record in the order of the polls; without a record, the start. */
const positionOf = (record: JsonObject, field: string): JsonObject => ({
  at: textOf(record[field]) || '1970-01-01T00:00:00.000+0000',
  id: textOf(record['Id']),
});

/**
 * Both values are part of the query. A query accepts times as Salesforce returns them, with
 * `+0000`.
 */
function after({ at, id }: JsonObject, field: string): { where: string; order: string } {
  const [time, last] = [textOf(at), textOf(id)];
  if (!/^[\d:.TZ+-]{20,40}$/.test(time) || !/^\w{0,18}$/.test(last))
    throw new Error('the stored position of the last poll is not valid');
  const sameTime = last === '' ? '' : ` OR (${field} = ${time} AND Id > '${last}')`;
  return { where: ` WHERE (${field} > ${time}${sameTime})`, order: `${field} ASC, Id ASC` };
}

async function query(context: PollContext, range: { where: string; order: string; limit: number }): Promise<JsonObject[]> {
  const { sobject } = eventOf(context);
  const q = `SELECT FIELDS(ALL) FROM ${sobject}${range.where} ORDER BY ${range.order} LIMIT ${range.limit}`;
  const body = await salesforceClient.send(accessOf(context, 0), { path: apiPath('/query'), query: { q } });
  return objectsOf(objectOf(body)['records']);
}

/** The object of the event, and the field with its time. */
function eventOf(context: PollContext): { sobject: string; field: string; isUpdate: boolean } {
  const values = events.map(({ value }) => value);
  const event = choiceParameter(context, 'triggerOn', 0, values, values[0] ?? '');
  const isUpdate = event.endsWith('Updated');
  const kind = event.replace(/(?:Created|Updated)$/, '');
  const sobject = kind === 'customObject' ? customObject(context) : `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  return { sobject, field: isUpdate ? 'LastModifiedDate' : 'CreatedDate', isUpdate };
}

/** The name is part of the query, so other characters are rejected. */
function customObject(context: PollContext): string {
  const name = requiredText(context, 'customObject', 0).trim();
  if (/^[A-Za-z]\w{0,100}$/.test(name)) return name;
  const description = 'Use the API name of the object, such as Site__c';
  throw new NodeOperationError(`${JSON.stringify(name.slice(0, 50))} is not an API name`, {
    itemIndex: 0,
    description,
  });
}
