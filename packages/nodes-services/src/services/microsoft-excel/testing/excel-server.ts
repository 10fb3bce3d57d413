import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const digits = { type: 'string', pattern: '^[0-9]+$' };
const cell = { type: ['string', 'number', 'boolean', 'null'] };
const rows = { type: 'array', minItems: 1, items: { type: 'array', minItems: 1, items: cell } };
const select = fields({ $select: text });
const list = fields({ $select: text, $top: digits, $skip: digits });
const answer = (json: unknown): Pick<ApiRoute, 'answer'> => ({ answer: () => ({ json }) });
const done: ApiRoute = { answer: () => ({ status: 204 }) };

const cells = {
  address: 'People!B2:D4',
  rowIndex: 1,
  columnIndex: 1,
  values: [
    ['Name', 'Age', 'City'],
    ['Ada', 36, 'London'],
    ['Ada', 9, ''],
  ],
};
const drive = '/v1.0/me/drive';
const sheet = `${drive}/items/:file/workbook/worksheets/:sheet`;

/** https://learn.microsoft.com/graph/api/resources/excel */
export function excelServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://graph.microsoft.com',
    headers: { authorization: /^Bearer t$/ },
    routes: {
      [`GET ${drive}/root/:search`]: { query: list, ...answer({ value: [{ id: 'wb1', name: 'a.xlsx' }] }) },
      [`DELETE ${drive}/items/:file`]: done,
      [`POST ${drive}/items/:file/workbook/worksheets/add`]: {
        body: fields({ name: text }),
        ...answer({ id: 's2', name: 'B' }),
      },
      [`GET ${drive}/items/:file/workbook/worksheets`]: { query: list, ...answer({ value: [{ id: 's1', name: 'People' }] }) },
      [`DELETE ${sheet}`]: done,
      [`GET ${sheet}/usedRange(valuesOnly=true)`]: { query: select, ...answer(cells) },
      [`GET ${sheet}/range(address=:address)`]: { query: select, ...answer(cells) },
      [`PATCH ${sheet}/range(address=:address)`]: { body: fields({ 'values!': rows }), ...answer({}) },
      [`POST ${sheet}/usedRange/clear`]: {
        body: fields({ 'applyTo!': { enum: ['All', 'Formats', 'Contents'] } }),
        ...done,
      },
      [`POST ${sheet}/range(address=:address)/clear`]: {
        body: fields({ 'applyTo!': { enum: ['All', 'Formats', 'Contents'] } }),
        ...done,
      },
      [`GET ${sheet}/tables`]: { query: list, ...answer({ value: [{ id: 't1', name: 'Table1' }] }) },
      [`POST ${sheet}/tables/add`]: {
        body: fields({ 'address!': text, 'hasHeaders!': { type: 'boolean' } }),
        ...answer({ id: 't2', name: 'Table2' }),
      },
      [`DELETE ${sheet}/tables/:table`]: done,
      [`POST ${sheet}/tables/:table/convertToRange`]: answer({ address: 'People!A1:B3' }),
      [`GET ${sheet}/tables/:table/columns`]: {
        query: list,
        ...answer({
          value: [
            { name: 'Name', values: [['Name'], ['Ada'], ['Bob']] },
            { name: 'Age', values: [['Age'], [36], [40]] },
          ],
        }),
      },
      [`GET ${sheet}/tables/:table/rows`]: {
        query: list,
        ...answer({
          value: [
            { index: 0, values: [['Ada', 36]] },
            { index: 1, values: [['Bob', 40]] },
          ],
        }),
      },
      [`POST ${sheet}/tables/:table/rows/add`]: {
        body: fields({ 'index!': { type: ['integer', 'null'] }, 'values!': rows }),
        ...answer({ index: 2 }),
      },
    },
  });
}
