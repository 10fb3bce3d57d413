import type { MethodContext, NodeMethods, NodePropertyOption } from '@sluice/node-sdk';
import type { ApiClient } from '../../shared/api-client.ts';
import { quoted, searchFiles } from '../../shared/google-drive.ts';
import { rangeIn } from './a1.ts';
import { type Reader, readRows, sheetsOf } from './google-sheets-client.ts';
import { columnNames, rowNumber } from './header.ts';

const documents = `mimeType = ${quoted('application/vnd.google-apps.spreadsheet')}`;

/** Lists of documents, sheets, and columns for editors. */
export function sheetMethods(client: ApiClient): NodeMethods {
  const readerOf = (context: MethodContext): Reader => ({ send: (request) => client.send(context, request) });
  const columnsOf = (context: MethodContext) => columns(context, readerOf(context));
  return {
    listSearch: {
      spreadSheetsSearch: (context, filter, paginationToken) =>
        searchFiles(client, context, documents, { filter, paginationToken }),
      sheetsSearch: async (context, filter = '') => {
        const found = await sheetsOf(readerOf(context), idIn(context, 'documentId'));
        const results = found.map(({ title, sheetId }) => ({ name: title, value: String(sheetId) }));
        return { results: results.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase())) };
      },
    },
    loadOptions: {
      getSheetHeaderRow: columnsOf,
      getSheetHeaderRowAndAddColumn: async (context) => [
        ...(await columnsOf(context)),
        { name: 'New Column…', value: 'newColumn' },
      ],
    },
    resourceMapping: {
      getMappingColumns: async (context) => ({
        fields: [rowNumber, ...(await columnsOf(context)).map(({ name }) => name)].map((id) => ({
          id,
          displayName: id,
          type: 'string',
        })),
      }),
    },
  };
}

/** Columns of the chosen sheet, by their names in the first row. */
async function columns(context: MethodContext, reader: Reader): Promise<NodePropertyOption[]> {
  const documentId = idIn(context, 'documentId');
  const wanted = idIn(context, 'sheetName').replace(/^gid=/, '');
  const found = (await sheetsOf(reader, documentId)).find(
    ({ title, sheetId }) => String(sheetId) === wanted || title === wanted,
  );
  if (!found) return [];
  const [names = []] = await readRows(reader, documentId, rangeIn(found.title, '1:1'));
  return columnNames(names).map((name) => ({ name, value: name }));
}

function idIn(context: MethodContext, path: string): string {
  const value = context.parameter(path, '' as never) as unknown;
  const id = typeof value === 'object' && value !== null ? (value as { value?: unknown }).value : value;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}
