import type { ListSearchResult, MethodContext, NodePropertyOption } from '@sluice/node-sdk';
import { defineService } from '../../shared/define-service.ts';
import { googleAccount } from '../../shared/google-account.ts';
import { quoted, searchFiles } from '../../shared/google-drive.ts';
import { rangeIn } from './a1.ts';
import { readRows, sheetsClient, sheetsOf } from './google-sheets-client.ts';
import { columnNames, rowNumber } from './header.ts';
import { fieldVersions, mappedVersions } from './row-record.ts';
import { sheet } from './sheet.ts';
import { spreadsheet } from './spreadsheet.ts';

const version = [...fieldVersions, ...mappedVersions];

export const googleSheets = defineService({
  displayName: 'Google Sheets',
  name: 'google-sheets',
  version,
  defaultVersion: 4.7,
  description: 'Reads and writes rows of Google Sheets',
  ...googleAccount('googleSheetsOAuth2Api', { version }),
  icon: 'fa:table',
  iconColor: 'green',
  client: sheetsClient,
  resources: { spreadsheet, sheet },
  initial: 'sheet',
  methods: {
    listSearch: { spreadSheetsSearch: documents, sheetsSearch: sheets },
    loadOptions: {
      getSheetHeaderRow: columns,
      getSheetHeaderRowAndAddColumn: async (context) => [
        ...(await columns(context)),
        { name: 'New Column…', value: 'newColumn' },
      ],
    },
    resourceMapping: {
      getMappingColumns: async (context) => ({
        fields: [rowNumber, ...(await columns(context)).map(({ name }) => name)].map((id) => ({
          id,
          displayName: id,
          type: 'string',
        })),
      }),
    },
  },
});

const documentType = 'application/vnd.google-apps.spreadsheet';

function documents(context: MethodContext, filter?: string, paginationToken?: string): Promise<ListSearchResult> {
  return searchFiles(sheetsClient, context, `mimeType = ${quoted(documentType)}`, { filter, paginationToken });
}

async function sheets(context: MethodContext, filter = ''): Promise<ListSearchResult> {
  const found = await sheetsOf(context, idIn(context, 'documentId'));
  const results = found.map(({ title, sheetId }) => ({ name: title, value: String(sheetId) }));
  return { results: results.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase())) };
}

/** Columns of the chosen sheet, by their names in the first row. */
async function columns(context: MethodContext): Promise<NodePropertyOption[]> {
  const documentId = idIn(context, 'documentId');
  const wanted = idIn(context, 'sheetName').replace(/^gid=/, '');
  const found = (await sheetsOf(context, documentId)).find(
    ({ title, sheetId }) => String(sheetId) === wanted || title === wanted,
  );
  if (!found) return [];
  const [names = []] = await readRows(context, documentId, rangeIn(found.title, '1:1'));
  return columnNames(names).map((name) => ({ name, value: name }));
}

function idIn(context: MethodContext, path: string): string {
  const value = context.parameter(path, '' as never) as unknown;
  const id = typeof value === 'object' && value !== null ? (value as { value?: unknown }).value : value;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}
