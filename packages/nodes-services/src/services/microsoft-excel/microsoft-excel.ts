import type { JsonObject, MethodContext } from '@sluice/node-sdk';
import { columnNames } from '../../shared/cells.ts';
import { defineService } from '../../shared/define-service.ts';
import { choicesFrom, matching } from '../../shared/list-choices.ts';
import { graphPages } from '../../shared/microsoft-graph.ts';
import { sendAll } from '../../shared/paging.ts';
import { chosenId } from '../../shared/service-item.ts';
import { excelClient, readCells, workbookUrl } from './excel-client.ts';
import { table } from './table.ts';
import { workbook, workbookSearch } from './workbook.ts';
import { worksheet } from './worksheet.ts';

export const microsoftExcel = defineService({
  displayName: 'Microsoft Excel 365',
  name: 'microsoft-excel',
  version: [1, 2, 2.1, 2.2],
  defaultVersion: 2.2,
  description: 'Reads and writes rows of workbooks in OneDrive',
  credentials: [{ name: 'microsoftExcelOAuth2Api', required: true }],
  icon: 'fa:table',
  iconColor: 'green',
  client: excelClient,
  resources: { table, workbook, worksheet },
  initial: 'workbook',
  methods: {
    listSearch: {
      searchWorkbooks: async (context, filter) => {
        const records = await listOf(context, workbookSearch(filter || '.xlsx'), 'id,name');
        return { results: choicesFrom(records).filter(({ name }) => name.toLowerCase().endsWith('.xlsx')) };
      },
      getWorksheetsList: async (context, filter) =>
        matching(choicesFrom(await listOf(context, sheetsPath(context), 'id,name')), filter),
      getWorksheetTables: async (context, filter) =>
        matching(choicesFrom(await listOf(context, `${chosenSheet(context)}/tables`, 'id,name')), filter),
    },
    loadOptions: { getWorksheetColumnRow: columnOptions, getWorksheetColumnRowSkipColumnToMatchOn: columnOptions },
  },
});

const chosen = (context: MethodContext, path: string, urls?: RegExp) => encodeURIComponent(chosenId(context, path, urls));
const sheetsPath = (context: MethodContext) => `/items/${chosen(context, 'workbook', workbookUrl)}/workbook/worksheets`;
const chosenSheet = (context: MethodContext) => `${sheetsPath(context)}/${chosen(context, 'worksheet')}`;

function listOf(context: MethodContext, path: string, fields: string): Promise<JsonObject[]> {
  return sendAll(excelClient, context, { path, query: { $select: fields } }, graphPages, 1_000);
}

/** Names in the first row of the worksheet. */
async function columnOptions(context: MethodContext) {
  const reader = { send: (request: Parameters<typeof excelClient.send>[1]) => excelClient.send(context, request) };
  const { values, column } = await readCells(reader, chosenSheet(context), chosenId(context, 'range'));
  return columnNames(values[0] ?? [], column).map((name) => ({ name, value: name }));
}
