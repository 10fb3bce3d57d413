import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, list, namesParameter, text } from '@sluice/nodes-base/node-tools';
import { asText, objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { OncePerRun } from '../../shared/once-per-run.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { apiPath, recordPath } from './salesforce-client.ts';

const operators: ReadonlyMap<string, string> = new Map([
  ['equal', '='],
  ['>', '>'],
  ['<', '<'],
  ['>=', '>='],
  ['<=', '<='],
]);

/** Parameters of a list of records. */
export const queryProperties: readonly NodeProperty[] = [
  ...listPropertiesOf(),
  collection('options', 'Options', [
    list('conditionsUi', 'Conditions', 'conditionValues', [
      text('field', 'Field Name or ID', 'API name of the field', { typeOptions: { loadOptionsMethod: 'getFields' } }),
      choice('operation', 'Operation', choices(['equal', '='], ['>', '>'], ['<', '<'], ['>=', '>='], ['<=', '<='])),
      text('value', 'Value', 'Value to compare with; for dates also a literal such as `LAST_N_DAYS:7`'),
    ]),
    text('fields', 'Fields', 'API names of the fields to return, separated by commas', {
      acceptsList: true,
      typeOptions: { loadOptionsMethod: 'getFields' },
    }),
  ]),
];

/** Pages of a query: the body has the next page's path. */
export const pages: Paging = {
  list: 'records',
  next({ body }) {
    const { done, nextRecordsUrl } = objectOf(body);
    return done === false && textOf(nextRecordsUrl).startsWith('/services/data/')
      ? { path: textOf(nextRecordsUrl) }
      : undefined;
  },
};

/** Records of a kind, by the parameters above. */
export async function queried(item: ServiceItem, sobject: string, defaultFields: readonly string[]): Promise<JsonObject[]> {
  const limit = item.limit();
  const fields = namesParameter(item.context, 'options.fields', item.index).map((name) => fieldName(item, name));
  const where = await conditionsOf(item, sobject);
  const clauses = [
    `SELECT ${(fields.length > 0 ? fields : defaultFields).join(',')} FROM ${fieldName(item, sobject)}`,
    ...(where.length > 0 ? [`WHERE ${where.join(' AND ')}`] : []),
    ...(Number.isFinite(limit) ? [`LIMIT ${limit}`] : []),
  ];
  return item.list({ path: apiPath('/query'), query: { q: clauses.join(' ') } }, pages, limit);
}

/** A name is part of the query, so it must be a name. */
function fieldName(item: ServiceItem, name: string): string {
  if (/^[A-Za-z]\w{0,100}(\.[A-Za-z]\w{0,100}){0,5}$/.test(name)) return name;
  throw item.error(
    `${JSON.stringify(name.slice(0, 50))} is not a name in Salesforce`,
    'Use API names, such as AccountId or Region__c',
  );
}

async function conditionsOf(item: ServiceItem, sobject: string): Promise<string[]> {
  const entries = item.entries('options.conditionsUi.conditionValues');
  if (entries.length === 0) return [];
  const types = await typesOf(item, sobject);
  return entries.map(({ field = '', operation = 'equal', value = '' }) => {
    const name = fieldName(item, asText(field).trim());
    const operator = operators.get(asText(operation));
    if (operator === undefined) throw item.error('a condition has an unknown operation', 'Choose one from the list');
    return `${name} ${operator} ${literal(item, value, types.get(name.toLowerCase()) ?? '')}`;
  });
}

const kinds = new OncePerRun<ReadonlyMap<string, string>>();

/** Field name in lower case → its type. SOQL quotes values by the type of their field. */
function typesOf(item: ServiceItem, sobject: string): Promise<ReadonlyMap<string, string>> {
  return kinds.get(item.context, sobject, async () => {
    const { fields } = objectOf(await item.send({ path: recordPath(sobject, 'describe') }));
    return new Map(objectsOf(fields).map(({ name, type }) => [textOf(name).toLowerCase(), textOf(type)]));
  });
}

const numbers: ReadonlySet<string> = new Set(['int', 'double', 'currency', 'percent', 'long']);
const times: ReadonlySet<string> = new Set(['date', 'datetime', 'time']);

/**
 * https://developer.salesforce.com/docs/atlas.en-us.soql_sosl.meta/soql_sosl/sforce_api_calls_soql_select_quotedstringescapes.htm
 */
function literal(item: ServiceItem, value: JsonValue, type: string): string {
  if (value === null || value === '') return 'null';
  const trimmed = typeof value === 'string' ? value.trim() : JSON.stringify(value);
  if (numbers.has(type)) return checked(item, trimmed, /^-?\d{1,30}(\.\d{1,30})?$/, 'a number');
  if (type === 'boolean') return checked(item, trimmed.toLowerCase(), /^(true|false)$/, 'true or false');
  if (times.has(type)) return checked(item, trimmed, /^(\d{4}-\d{2}-\d{2}[\w:.+-]{0,30}|[A-Z_]{1,40}(:\d{1,5})?)$/, 'a date');
  return `'${trimmed
    .replace(/[\\'"]/g, '\\$&')
    .replace(/\r/g, '\\r')
    .replace(/\n/g, '\\n')}'`;
}

function checked(item: ServiceItem, value: string, pattern: RegExp, kind: string): string {
  if (pattern.test(value.slice(0, 100))) return value;
  throw item.error(
    `the value ${JSON.stringify(value.slice(0, 50))} of a condition is not ${kind}`,
    'Change the value, or the field',
  );
}
