import type { MethodContext, NodeMethods, NodePropertyOption } from '@sluice/node-sdk';
import { rangeIn } from '../../shared/a1.ts';
import type { ApiClient } from '../../shared/api-client.ts';
import { columnNames } from '../../shared/cells.ts';
import { quoted, searchFiles } from '../../shared/google-drive.ts';
import { asText } from '../../shared/json-values.ts';
import { matching } from '../../shared/list-choices.ts';
import { chosenId } from '../../shared/service-item.ts';
import { type Reader, readRows, sheetsOf } from './google-sheets-client.ts';
import { rowNumber } from './header.ts';
import { documentUrl, sheetUrl } from './sheet-target.ts';

const documents = `mimeType = ${quoted('application/vnd.google-apps.spreadsheet')}`;

/** Lists of documents, sheets, and columns for editors. */
export function sheetMethods(client: ApiClient): NodeMethods {
  const readerOf = (context: MethodContext): Reader => ({ send: (request) => client.send(context, request) });
  const sheetChoices = async (context: MethodContext, document: string) => {
    const sheets = await sheetsOf(readerOf(context), chosenId(context, document, documentUrl));
    return sheets.map(({ title, sheetId }) => ({ name: title, value: asText(sheetId) }));
  };
  const columnsOf = (context: MethodContext) => columns(context, readerOf(context));
  return {
    listSearch: {
      spreadSheetsSearch: (context, filter, paginationToken) =>
        searchFiles(client, context, documents, { filter, paginationToken }),
      sheetsSearch: async (context, filter) => {
        return matching(await sheetChoices(context, 'documentId'), filter);
      },
    },
    loadOptions: {
      getSheets: (context) => sheetChoices(context, 'sheetId'),
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

/** Columns of the selected sheet, by their names in the first row. */
async function columns(context: MethodContext, reader: Reader): Promise<NodePropertyOption[]> {
  const documentId = chosenId(context, 'documentId', documentUrl);
  const wanted = chosenId(context, 'sheetName', sheetUrl).replace(/^gid=/, '');
  const sheet = (await sheetsOf(reader, documentId)).find(
    ({ title, sheetId }) => asText(sheetId) === wanted || title === wanted,
  );
  if (!sheet) return [];
  const [names = []] = await readRows(reader, documentId, rangeIn(sheet.title, '1:1'));
  return columnNames(names).map((name) => ({ name, value: name }));
}
