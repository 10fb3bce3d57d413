import {
  type JsonObject,
  type JsonValue,
  mapSliced,
  type NodeType,
  type PollContext,
  pollTimesProperty,
  type UnsupportedUse,
} from '@sluice/node-sdk';
import { choice, choices, names, namesParameter, options, refuseUnsupported, where } from '@sluice/nodes-base/node-tools';
import { googleClient } from '../../shared/google-client.ts';
import { asText } from '../../shared/json-values.ts';
import { markOf } from '../../shared/mark.ts';
import { ServiceNode } from '../../shared/service-item.ts';
import { sheetsUrl } from './google-sheets-client.ts';
import { readLocation, target } from './google-sheets-properties.ts';
import { rowNumber } from './header.ts';
import { locationOf, readTable } from './read-rows.ts';
import { type RowChange, rowChanges } from './row-changes.ts';
import { sheetMethods } from './sheet-methods.ts';
import { SheetFinder } from './sheet-target.ts';

const client = googleClient('Google Sheets', sheetsUrl, 'googleSheetsTriggerOAuth2Api');

const unsupported: readonly UnsupportedUse[] = [
  {
    parameter: 'includeInOutput',
    values: ['old', 'both'],
    what: 'the output of old rows',
    hint: 'Choose "New Version": polls remember marks of rows, not their content',
  },
];

/** Maximum number of rows whose marks fit into the position of a poll. */
const maxRows = 60_000;

/** Starts with rows that were added or changed since the last poll. */
export const googleSheetsTrigger: NodeType = {
  unsupported,
  methods: sheetMethods(client),
  description: {
    displayName: 'Google Sheets Trigger',
    name: 'google-sheets-trigger',
    group: ['trigger'],
    version: 1,
    description:
      'Starts the workflow when rows of a sheet are added or changed, with one item per row. Rows of the first poll count as known. A manual run outputs the last row',
    defaults: { name: 'Google Sheets Trigger' },
    inputs: [],
    outputs: ['main'],
    polling: true,
    icon: 'fa:table',
    iconColor: 'green',
    credentials: [
      { name: 'googleSheetsTriggerOAuth2Api', required: true, ...where({ authentication: ['triggerOAuth2'] }) },
      { name: 'googleApi', required: true, ...where({ authentication: ['serviceAccount'] }) },
    ],
    properties: [
      choice('authentication', 'Authentication', choices(['triggerOAuth2', 'OAuth2'], ['serviceAccount', 'Service Account'])),
      pollTimesProperty,
      ...target,
      choice(
        'event',
        'Trigger On',
        choices(['anyUpdate', 'Row Added or Updated'], ['rowAdded', 'Row Added'], ['rowUpdate', 'Row Updated']),
        { description: 'A row that moves is neither' },
      ),
      choice(
        'includeInOutput',
        'Include in Output',
        choices(['new', 'New Version'], ['old', 'Old Version'], ['both', 'Both Versions']),
        where({ event: ['anyUpdate', 'rowUpdate'] }),
      ),
      options([
        names('columnsToWatch', 'Columns to Watch', 'Names of columns; changes of others are ignored. Default: all'),
        readLocation,
        choice(
          'valueRender',
          'Value Render',
          choices(['UNFORMATTED_VALUE', 'Unformatted'], ['FORMATTED_VALUE', 'Formatted'], ['FORMULA', 'Formula']),
        ),
        choice(
          'dateTimeRenderOption',
          'DateTime Render',
          choices(['SERIAL_NUMBER', 'Serial Number'], ['FORMATTED_STRING', 'Formatted String']),
        ),
      ]),
    ],
  },
  async poll(context) {
    refuseUnsupported(context, unsupported, 0);
    const node = new ServiceNode(context, 0, client);
    const rows = await rowsOf(node);
    const changed = context.mode === 'manual' ? rows.slice(-1) : await changedRows(node, rows);
    return changed.length > 0 ? changed.map((json) => ({ json })) : null;
  },
};

async function rowsOf(node: ServiceNode): Promise<readonly JsonObject[]> {
  const { documentId, title } = await new SheetFinder().find(node);
  const rendering = {
    valueRenderOption: node.text('options.valueRender', 'UNFORMATTED_VALUE'),
    dateTimeRenderOption: node.text('options.dateTimeRenderOption', 'SERIAL_NUMBER'),
  };
  const { records } = await readTable(node, documentId, title, locationOf(node), rendering);
  if (records.length <= maxRows) return records;
  const description = 'Watch a part of the sheet by the option "Data Location on Sheet"';
  throw node.error(`the sheet has more than ${maxRows} rows, which a poll cannot remember`, description);
}

/** Rows that differ from the rows at the last poll; stores the marks of all rows. */
async function changedRows(node: ServiceNode<PollContext>, rows: readonly JsonObject[]): Promise<JsonObject[]> {
  const { context } = node;
  const columns = namesParameter(context, 'options.columnsToWatch', 0);
  const watched = columns.length > 0 ? new Set(columns) : undefined;
  const marks = await mapSliced(rows, (row) => rowMark(row, watched));
  context.saveCursor({ marks });
  const before = context.cursor?.['marks'];
  if (!Array.isArray(before)) return [];
  const event = node.text('event', 'anyUpdate');
  const changes = await rowChanges(before.map(asText), marks);
  return changes.filter(({ kind }) => isWanted(kind, event)).map((change) => outputOf(rows[change.index] ?? {}, change, event));
}

const isWanted = (kind: RowChange['kind'], event: string): boolean =>
  event === 'anyUpdate' || event === (kind === 'added' ? 'rowAdded' : 'rowUpdate');

function outputOf({ [rowNumber]: number = null, ...row }: JsonObject, { kind }: RowChange, event: string): JsonObject {
  return { [rowNumber]: number, ...(event !== 'rowAdded' && { change_type: kind }), ...row };
}

/**
 * Identity of a row's content. Trailing empty cells are ignored: a new column adds them to all
 * rows.
 */
function rowMark(row: JsonObject, watched: ReadonlySet<string> | undefined): string {
  const values: JsonValue[] = Object.entries(row)
    .filter(([name]) => name !== rowNumber && (watched?.has(name) ?? true))
    .map(([, value]) => value);
  const end = values.findLastIndex((value) => value !== '' && value !== null) + 1;
  return markOf(JSON.stringify(values.slice(0, end)));
}
