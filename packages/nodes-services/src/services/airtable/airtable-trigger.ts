import {
  type JsonObject,
  type JsonValue,
  type NodeType,
  type PollContext,
  pollTimesProperty,
  sortSliced,
  TimeSlice,
} from '@sluice/node-sdk';
import {
  choice,
  choices,
  collection,
  names,
  namesParameter,
  refuseUnsupported,
  requiredText,
  text,
  textParameter,
  where,
} from '@sluice/nodes-base/node-tools';
import { accessOf } from '../../shared/api-client.ts';
import { asText } from '../../shared/json-values.ts';
import { sendAll, sendPortion } from '../../shared/paging.ts';
import { locatedId } from '../../shared/service-item.ts';
import { airtableClient, escapedField, pagesOf, sortQuery, tablePath } from './airtable-client.ts';
import { baseUrl, noDownloads, tableUrl } from './airtable-properties.ts';

const pages = pagesOf('records');
const unsupported = noDownloads('downloadAttachments', 'additionalFields.downloadFields');

/** Starts with records whose trigger field is later than at the last poll. */
export const airtableTrigger: NodeType = {
  unsupported,
  description: {
    displayName: 'Airtable Trigger',
    name: 'airtable-trigger',
    group: ['trigger'],
    version: 1,
    description:
      'Starts the workflow when an Airtable table has new or changed records, with one item per record. Records of the first poll count as known. A manual run outputs the latest record',
    defaults: { name: 'Airtable Trigger' },
    inputs: [],
    outputs: ['main'],
    polling: true,
    icon: 'fa:table',
    iconColor: 'orange',
    credentials: ['airtableApi', 'airtableTokenApi', 'airtableOAuth2Api'].map((name) => ({
      name,
      required: true,
      ...where({ authentication: [name] }),
    })),
    properties: [
      pollTimesProperty,
      choice(
        'authentication',
        'Authentication',
        choices(['airtableApi', 'API Key'], ['airtableTokenApi', 'Access Token'], ['airtableOAuth2Api', 'OAuth2']),
      ),
      text('baseId', 'Base', 'The base: by ID or URL', { required: true }),
      text('tableId', 'Table', 'The table: by ID or URL', { required: true }),
      text(
        'triggerField',
        'Trigger Field',
        'Name of a field of the type "Created time" or "Last modified time"; a record starts an execution when its value is later than that of all known ones',
        { required: true },
      ),
      collection('additionalFields', 'Additional Fields', [
        names('fields', 'Fields', 'Names of the fields to return; default: all'),
        text('formula', 'Formula', 'Only records for which this formula is true'),
        text('viewId', 'View', 'Only records of this view: name or ID'),
      ]),
    ],
  },
  async poll(context) {
    refuseUnsupported(context, unsupported, 0);
    const records = context.mode === 'manual' ? await latest(context) : await fresh(context);
    return records.length > 0 ? records.map((json) => ({ json })) : null;
  },
};

/**
 * Records that no poll has returned yet, earliest first; stores the latest time and the records
 * that have it.
 */
async function fresh(context: PollContext): Promise<JsonObject[]> {
  const field = requiredText(context, 'triggerField', 0);
  const timeOf = ({ fields }: JsonObject): number => Date.parse(asText((fields as JsonObject | undefined)?.[field] ?? '')) || 0;
  const cursor = context.cursor;
  const since = cursor ? Number(cursor['at']) : timeOf((await latest(context))[0] ?? {});
  const seen = new Set([cursor?.['ids'] ?? []].flat());
  const isNew = (record: JsonObject): boolean =>
    timeOf(record) > since || (timeOf(record) === since && !seen.has(record['id'] ?? ''));
  const fresh: { record: JsonObject; time: number }[] = [];
  // A portion may lack known records with the same timestamp.
  let [at, ids]: [number, Set<JsonValue>] = [since, new Set(seen)];
  const slice = new TimeSlice();
  for (const record of await readSince(context, since, isNew)) {
    if (slice.isOver) await slice.next();
    const { id = '' } = record;
    const time = timeOf(record);
    if (time > at) [at, ids] = [time, new Set()];
    if (time === at) ids.add(id);
    if (isNew(record)) fresh.push({ record, time });
  }
  context.saveCursor({ at, ids: [...ids] });
  if (!cursor) return [];
  return (await sortSliced(fresh, (a, b) => a.time - b.time)).map(({ record }) => record);
}

async function latest(context: PollContext): Promise<JsonObject[]> {
  const request = requestFor(context, { direction: 'desc', pageSize: 1 });
  return sendAll(airtableClient, accessOf(context, 0), request, pages, 1);
}

/**
 * Records since a time, earliest first. For a long list, the first portion that contains new
 * records.
 */
async function readSince(context: PollContext, since: number, isNew: (record: JsonObject) => boolean): Promise<JsonObject[]> {
  const request = requestFor(context, { since, direction: 'asc', pageSize: 100 });
  let hasNew = false;
  const mayEndAfter = (records: readonly JsonObject[]) => {
    hasNew ||= records.some(isNew);
    return hasNew;
  };
  return (await sendPortion(airtableClient, accessOf(context, 0), request, pages, mayEndAfter)).elements;
}

interface Range {
  /** Time of the earliest records. */
  since?: number;
  direction: 'asc' | 'desc';
  pageSize: number;
}

function requestFor(
  context: PollContext,
  { since = 0, direction, pageSize }: Range,
): { path: string; query: Record<string, JsonValue> } {
  const field = requiredText(context, 'triggerField', 0);
  const column = escapedField(field);
  const formula = textParameter(context, 'additionalFields.formula', 0);
  const isLater = since > 0 ? [`NOT(IS_BEFORE(${column},DATETIME_PARSE('${new Date(since).toISOString()}')))`] : [];
  const chosenFields = namesParameter(context, 'additionalFields.fields', 0);
  return {
    path: tablePath(locatedId(context, 'baseId', 0, baseUrl), locatedId(context, 'tableId', 0, tableUrl)),
    query: {
      filterByFormula: `AND(${[`${column}!=BLANK()`, ...isLater, ...(formula === '' ? [] : [formula])].join(',')})`,
      'fields[]': chosenFields.length > 0 ? [...new Set([...chosenFields, field])] : [],
      view: textParameter(context, 'additionalFields.viewId', 0),
      pageSize: asText(pageSize),
      ...sortQuery([{ field, direction }]),
    },
  };
}
