import { type JsonObject, type JsonValue, mapSliced, TimeSlice } from '@sluice/node-sdk';
import { atLeast, choice, choices, list, number, options, pause, text, toggle, where } from '@sluice/nodes-base/node-tools';
import { defineService, type Produced, type Resource } from '../../shared/define-service.ts';
import { googleAccount } from '../../shared/google-account.ts';
import { googleClient } from '../../shared/google-client.ts';
import { asText, objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { countRead } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { namedRow } from './big-query-rows.ts';

const version = [2, 2.1];

/** https://cloud.google.com/bigquery/docs/reference/rest */
const client = googleClient('BigQuery', 'https://bigquery.googleapis.com/bigquery/v2', 'googleBigQueryOAuth2Api');

const located = (name: string, displayName: string, description: string) =>
  text(name, displayName, description, { required: true, acceptsAnyValue: true });
const project = located('projectId', 'Project', 'ID of the Google Cloud project that pays for the query');

/** Rows per page; a page has up to 20 MB. */
const pageSize = 10_000;
/** How long one request waits for a query, and the pause before the next request. */
const waitMs = 10_000;
const pauseMs = 500;

const database: Resource = {
  displayName: 'Database',
  operations: {
    executeQuery: {
      displayName: 'Execute Query',
      description: 'Runs a query, and returns an item for each row',
      properties: [
        project,
        text('sqlQuery', 'SQL Query', 'The query; `@name` is a query parameter of the options', {
          required: true,
          typeOptions: { rows: 5 },
        }),
        options([
          text('defaultDataset', 'Default Dataset', 'Dataset of tables that are named without one'),
          toggle('dryRun', 'Dry Run', 'Whether to check the query without running it'),
          text('location', 'Location', 'Region of the data, such as `EU`'),
          number('maximumBytesBilled', 'Maximum Bytes Billed', 0, 'A query that would read more fails; 0: no limit'),
          atLeast(1, number('maxResults', 'Max Results', 1_000, 'Most rows; default: all')),
          list('queryParameters', 'Query Parameters', 'namedParameters', [
            text('name', 'Name', 'Name in the query, without `@`'),
            text('value', 'Value', 'Value as text; the query may cast it', { acceptsAnyValue: true }),
          ]),
          toggle('useLegacySql', 'Use Legacy SQL', 'Whether the query is in legacy SQL'),
        ]),
      ],
      run: executeQuery,
    },
    insert: {
      displayName: 'Insert',
      description: 'Adds each item as a row to a table',
      properties: [
        project,
        located('datasetId', 'Dataset', 'ID of the dataset'),
        located('tableId', 'Table', 'ID of the table'),
        choice('dataMode', 'Data Mode', choices(['autoMap', 'Auto-Map Input Data'], ['define', 'Map Each Field Below'])),
        list(
          'fieldsUi',
          'Fields',
          'values',
          [
            text('fieldId', 'Field', 'Name of the column'),
            text('fieldValue', 'Value', 'Value of the column', { acceptsAnyValue: true }),
          ],
          where({ dataMode: ['define'] }),
        ),
        options([
          toggle('ignoreUnknownValues', 'Ignore Unknown Values', 'Whether fields without a column are left out'),
          toggle('skipInvalidRows', 'Skip Invalid Rows', 'Whether other rows are stored if one is invalid'),
          text('templateSuffix', 'Template Suffix', 'Ending of the table that is created with the columns of the table'),
        ]),
      ],
      runAll: insertAll,
    },
  },
};

const path = (item: ServiceItem, ...names: string[]) => names.map((name) => encodeURIComponent(item.id(name))).join('/');

function queryOf(item: ServiceItem): JsonObject {
  const dataset = item.text('options.defaultDataset').trim();
  const billed = item.number('options.maximumBytesBilled', 0);
  const parameters = item.entries('options.queryParameters.namedParameters').map(({ name = '', value = '' }) => ({
    name: asText(name),
    parameterType: { type: 'STRING' },
    parameterValue: { value: asText(value) },
  }));
  const location = item.text('options.location').trim();
  return {
    query: item.required('sqlQuery'),
    useLegacySql: item.toggle('options.useLegacySql'),
    timeoutMs: waitMs,
    maxResults: Math.min(rowLimit(item), pageSize),
    formatOptions: { useInt64Timestamp: true },
    ...(location !== '' && { location }),
    ...(dataset !== '' && { defaultDataset: { datasetId: dataset } }),
    ...(billed > 0 && { maximumBytesBilled: asText(Math.trunc(billed)) }),
    ...(item.toggle('options.dryRun') && { dryRun: true }),
    ...(parameters.length > 0 && { parameterMode: 'NAMED', queryParameters: parameters }),
  };
}

function rowLimit(item: ServiceItem): number {
  const { maxResults } = item.fields('options');
  if (maxResults === undefined) return Number.POSITIVE_INFINITY;
  const limit = Math.trunc(item.number('options.maxResults', 1_000));
  if (limit >= 1) return limit;
  throw item.error('the parameter "options.maxResults" must be 1 or more', 'Change its expression, or remove the option');
}

async function executeQuery(item: ServiceItem): Promise<Produced> {
  const queries = `/projects/${path(item, 'projectId')}/queries`;
  let page = await readPage(item, { path: queries, json: queryOf(item) });
  const { jobId, location } = objectOf(page['jobReference']);
  const limit = rowLimit(item);
  const rows: JsonObject[] = [];
  const next = (query: JsonObject) =>
    readPage(item, {
      path: `${queries}/${encodeURIComponent(textOf(jobId))}`,
      query: { location: textOf(location), maxResults: Math.min(limit - rows.length, pageSize), ...query },
    });
  const format = { 'formatOptions.useInt64Timestamp': true };
  while (page['jobComplete'] === false) {
    await pause(pauseMs, item.access.signal);
    page = await next({ timeoutMs: waitMs, ...format });
  }
  if (objectOf(page['schema'])['fields'] === undefined) return summaryOf(page);
  const columns = objectsOf(objectOf(page['schema'])['fields']);
  for (;;) {
    const { rows: read } = page;
    for (const row of await mapSliced(Array.isArray(read) ? read : [], (one) => namedRow(columns, one))) rows.push(row);
    const pageToken = textOf(page['pageToken']);
    if (pageToken === '' || rows.length >= limit) return rows.slice(0, limit);
    page = await next({ pageToken, ...format });
  }
}

async function readPage(item: ServiceItem, request: Parameters<ServiceItem['exchange']>[0]): Promise<JsonObject> {
  const { body, byteLength } = await item.exchange(request);
  countRead(item.access, byteLength);
  return objectOf(body);
}

/** The outcome of a statement without rows, or of a dry run. */
function summaryOf({ jobReference, numDmlAffectedRows, totalBytesProcessed, dmlStats }: JsonObject): JsonObject {
  const members = { jobReference, numDmlAffectedRows, totalBytesProcessed, dmlStats };
  return Object.fromEntries(Object.entries(members).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

/** Rows per request: the API recommends at most 500. */
const rowsPerRequest = 500;

interface Batch {
  path: string;
  settings: JsonObject;
  members: { index: number; json: JsonObject }[];
}

/** Items for the same table share requests. */
async function insertAll(items: readonly ServiceItem[]): Promise<Produced[]> {
  const batches = new Map<string, Batch>();
  const slice = new TimeSlice();
  for (const [index, item] of items.entries()) {
    if (slice.isOver) await slice.next();
    const target = `/projects/${path(item, 'projectId')}/datasets/${path(item, 'datasetId')}/tables/${path(item, 'tableId')}/insertAll`;
    const settings = settingsOf(item);
    const key = JSON.stringify([target, settings]);
    const batch = batches.get(key) ?? { path: target, settings, members: [] };
    batches.set(key, batch);
    batch.members.push({ index, json: rowOf(item) });
  }
  const produced: Produced[] = items.map(() => undefined);
  for (const { path: target, settings, members } of batches.values()) {
    for (let at = 0; at < members.length; at += rowsPerRequest) {
      const part = members.slice(at, at + rowsPerRequest);
      const [first] = part;
      if (!first) break;
      await insertPart(items[first.index] as ServiceItem, target, settings, part);
      for (const { index, json } of part) produced[index] = json;
    }
  }
  return produced;
}

const settingsOf = (item: ServiceItem): JsonObject => {
  const templateSuffix = item.text('options.templateSuffix');
  return {
    ...(item.toggle('options.ignoreUnknownValues') && { ignoreUnknownValues: true }),
    ...(item.toggle('options.skipInvalidRows') && { skipInvalidRows: true }),
    ...(templateSuffix !== '' && { templateSuffix }),
  };
};

function rowOf(item: ServiceItem): JsonObject {
  if (item.text('dataMode', 'autoMap') !== 'define') return item.context.items()[item.index]?.json ?? {};
  const fields = item.entries('fieldsUi.values').map(({ fieldId = '', fieldValue = null }) => [asText(fieldId), fieldValue]);
  return Object.fromEntries(fields) as JsonObject;
}

/** The API reports invalid rows with status 200. */
async function insertPart(item: ServiceItem, target: string, settings: JsonObject, part: Batch['members']): Promise<void> {
  const json = { ...settings, rows: part.map((one) => ({ json: one.json })) };
  const errors = objectsOf(objectOf(await item.send({ path: target, json }))['insertErrors']);
  const wrong = errors.find(({ errors: reasons }) => objectsOf(reasons)[0]?.['reason'] !== 'stopped') ?? errors[0];
  if (!wrong || settings['skipInvalidRows'] === true) return;
  const { reason, location, message } = objectsOf(wrong['errors'])[0] ?? {};
  const place = textOf(location) === '' ? '' : `, column "${textOf(location)}"`;
  const row = part[Number(wrong['index'] ?? 0)]?.index ?? item.index;
  throw item.error(
    `BigQuery: ${textOf(message) || 'the row is invalid'}${place} (${textOf(reason) || 'invalid'}), item ${row}`,
    'No row of the request was stored: fix the value, or switch on "Skip Invalid Rows"',
  );
}

/** Queries and tables in Google's data warehouse. */
export const googleBigQuery = defineService({
  displayName: 'Google BigQuery',
  name: 'google-big-query',
  version,
  description: 'Runs queries and inserts rows in Google BigQuery',
  ...googleAccount('googleBigQueryOAuth2Api', { version }),
  icon: 'fa:database',
  iconColor: 'blue',
  group: ['input'],
  client,
  resources: { database },
});
