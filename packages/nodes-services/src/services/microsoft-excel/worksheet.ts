import type { JsonObject } from '@sluice/node-sdk';
import { atLeast, choice, choices, number, options, text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { paged, rangePath, selected, sheetPath, skipPages, workbookPath } from './excel-client.ts';
import {
  fieldsOf,
  firstVersion,
  inSheet,
  listProperties,
  locatorVersions,
  rangeOf,
  rangeProperties,
  rawOptions,
  rawParameters,
  responseFields,
  rowFilters,
  rowValues,
  workbook,
} from './excel-properties.ts';
import { readSheet } from './read-rows.ts';
import { appendToSheet, updateSheet } from './write-rows.ts';

const range = text('range', 'Range', 'A1 notation, such as `A1:D20`, with the row of names; default: all cells with values', {
  ...where({ dataMode: ['autoMap', 'define', 'raw'] }),
});
const changeOptions = options([
  ...rawOptions,
  toggle('updateAll', 'Update All', 'Whether to change all rows that match instead of the first one'),
]);

/** https://learn.microsoft.com/graph/api/resources/worksheet */
export const worksheet: Resource = {
  displayName: 'Sheet',
  initial: 'getAll',
  operations: {
    append: {
      displayName: 'Append',
      description: 'Adds a row for each item, below the last one',
      versions: locatorVersions,
      properties: [...inSheet, ...rowValues(false), options(rawOptions.slice(0, 2))],
      runAll: appendToSheet,
    },
    upsert: {
      displayName: 'Append or Update',
      description: 'Changes the matching row, or adds a row',
      versions: locatorVersions,
      properties: [...inSheet, range, ...rowValues(true), changeOptions],
      runAll: (items) => updateSheet(items, true),
    },
    clear: {
      displayName: 'Clear',
      description: 'Removes the content or the format of a worksheet, or of a part of it',
      properties: [
        ...inSheet,
        choice('applyTo', 'Apply To', choices(['All', 'All'], ['Formats', 'Formats'], ['Contents', 'Contents'])),
        ...rangeProperties,
      ],
      run: clear,
    },
    deleteWorksheet: {
      displayName: 'Delete',
      description: 'Deletes a worksheet',
      properties: inSheet,
      run: (item) => item.perform({ method: 'DELETE', path: sheetPath(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the worksheets of a workbook',
      properties: [workbook, ...listProperties, responseFields],
      run(item) {
        const limit = item.limit(100);
        const request = { path: `${workbookPath(item)}/worksheets`, query: selected(fieldsOf(item)) };
        return item.list(paged(request, limit), skipPages, limit);
      },
    },
    getContent: {
      displayName: 'Get Content',
      description: 'Returns the rows of a range',
      versions: firstVersion,
      properties: [
        ...inSheet,
        text('range', 'Range', 'A1 notation, such as `A1:B2`', { default: 'A1:C3', required: true }),
        ...rawParameters('dataPropertyName'),
      ],
      run: (item) => readSheet(item, item.text('range', 'A1:C3'), [0, 1]),
    },
    readRows: {
      displayName: 'Get Rows',
      description: 'Returns rows, with the column names as fields',
      versions: locatorVersions,
      properties: [
        ...inSheet,
        ...rangeProperties,
        atLeast(0, number('keyRow', 'Header Row', 0, 'Row with the names of the columns, from 0, within the range')),
        atLeast(0, number('dataStartRow', 'First Row of Data', 1, 'First row of data, from 0, within the range')),
        ...rowFilters,
        options(rawOptions),
      ],
      run: (item) => readSheet(item),
    },
    update: {
      displayName: 'Update',
      description: 'Changes the row that matches, or overwrites cells',
      versions: locatorVersions,
      properties: [...inSheet, range, ...rowValues(true), changeOptions],
      runAll: (items) => updateSheet(items, false),
    },
  },
};

/** https://learn.microsoft.com/graph/api/range-clear */
async function clear(item: ServiceItem): Promise<JsonObject> {
  const address = rangeOf(item);
  const area = address === '' ? `${sheetPath(item)}/usedRange` : rangePath(sheetPath(item), address);
  const applyTo = item.text('applyTo', 'All');
  return item.perform({ path: `${area}/clear`, json: { applyTo: `${applyTo.slice(0, 1).toUpperCase()}${applyTo.slice(1)}` } });
}
