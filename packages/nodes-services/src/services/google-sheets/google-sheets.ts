import { isJsonObject, type ListSearchResult, type MethodContext, type NodePropertyOption } from '@sluice/node-sdk';
import { choice, choices, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { rangeIn } from './a1.ts';
import { driveFiles, readRows, sheetsClient, sheetsOf } from './google-sheets-client.ts';
import { columnNames, rowNumber } from './header.ts';
import { fieldVersions, mappedVersions } from './row-record.ts';
import { sheet } from './sheet.ts';
import { spreadsheet } from './spreadsheet.ts';

export const googleSheets = defineService({
  displayName: 'Google Sheets',
  name: 'google-sheets',
  version: [...fieldVersions, ...mappedVersions],
  defaultVersion: 4.7,
  description: 'Reads and writes rows of Google Sheets',
  credentials: [
    { name: 'googleSheetsOAuth2Api', required: true, ...where({ authentication: ['oAuth2'] }) },
    { name: 'googleApi', required: true, ...where({ authentication: ['serviceAccount'] }) },
  ],
  icon: 'fa:table',
  iconColor: 'green',
  client: sheetsClient,
  leading: [choice('authentication', 'Authentication', choices(['oAuth2', 'OAuth2'], ['serviceAccount', 'Service Account']))],
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

const pageSize = '100';

async function documents(context: MethodContext, filter = '', paginationToken = ''): Promise<ListSearchResult> {
  const name = filter === '' ? '' : ` and name contains '${filter.replace(/[\\']/g, (character) => `\\${character}`)}'`;
  const query = {
    q: `mimeType = 'application/vnd.google-apps.spreadsheet' and trashed = false${name}`,
    fields: 'nextPageToken,files(id,name)',
    orderBy: 'modifiedByMeTime desc,name',
    pageSize,
    pageToken: paginationToken,
    includeItemsFromAllDrives: 'true',
    supportsAllDrives: 'true',
  };
  const body = await sheetsClient.send(context, { path: driveFiles, query });
  const { files = [], nextPageToken } = isJsonObject(body ?? null) ? (body as { files?: []; nextPageToken?: string }) : {};
  const results = files.map(({ id = '', name: title = '' }) => ({ name: String(title), value: String(id) }));
  return { results, ...(nextPageToken !== undefined && { paginationToken: nextPageToken }) };
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
