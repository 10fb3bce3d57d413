import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { asText, objectOf, objectsOf } from '../../shared/json-values.ts';
import { matchingValue } from '../../shared/mapped-columns.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { equals, pagesOf, tablePath } from './airtable-client.ts';
import { baseOf, tableOf } from './airtable-properties.ts';
import { castOption, writeRecord } from './write-record.ts';

/**
 * Maximum number of fields by which Airtable itself finds a record, and of records in one request.
 */
const maxMergeFields = 3;
const batchSize = 10;

/** Changes the first record whose fields match, or all of them. */
export async function updateMatches(item: ServiceItem, fields: JsonObject, matching: readonly string[]): Promise<JsonObject[]> {
  const changed = await changeMatches(item, fields, matching);
  if (changed.length > 0) return changed;
  const names = matching.map((name) => `"${name}"`).join(', ');
  throw item.error(`no record has these values of ${names}`, 'Check the values, or use the operation "Create or Update"');
}

/**
 * Changes the matching records, or creates a record. Airtable does it in one request unless all
 * matches are to be changed.
 */
export async function upsertByFields(
  item: ServiceItem,
  fields: JsonObject,
  matching: readonly string[],
): Promise<JsonObject[] | JsonValue | undefined> {
  if (item.toggle('options.updateAllMatches') || matching.length > maxMergeFields) {
    const changed = await changeMatches(item, fields, matching);
    return changed.length > 0 ? changed : writeRecord(item, { fields });
  }
  for (const column of matching) matchingValue(item, fields, column);
  return recordsOf(
    await item.send({
      method: 'PATCH',
      path: tablePath(baseOf(item), tableOf(item)),
      json: { performUpsert: { fieldsToMergeOn: [...matching] }, records: [{ fields }], ...castOption(item) },
    }),
  );
}

async function changeMatches(item: ServiceItem, fields: JsonObject, matching: readonly string[]): Promise<JsonObject[]> {
  const path = tablePath(baseOf(item), tableOf(item));
  const wanted = Object.fromEntries(matching.map((column) => [column, matchingValue(item, fields, column)]));
  const limit = item.toggle('options.updateAllMatches') ? Number.POSITIVE_INFINITY : 1;
  const query = { filterByFormula: equals(wanted), pageSize: asText(Math.min(limit, 100)) };
  const entries = await item.list({ path, query }, pagesOf('records'), limit);
  const changed: JsonObject[] = [];
  for (let start = 0; start < entries.length; start += batchSize) {
    const records = entries.slice(start, start + batchSize).map(({ id = '' }) => ({ id, fields }));
    changed.push(...recordsOf(await item.send({ method: 'PATCH', path, json: { records, ...castOption(item) } })));
  }
  return changed;
}

function recordsOf(body: JsonValue | undefined): JsonObject[] {
  return objectsOf(objectOf(body)['records']);
}
