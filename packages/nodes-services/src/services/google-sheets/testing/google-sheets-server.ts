import { columnIndex } from '../../../shared/a1.ts';
import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

type Cell = string | number | boolean;
/** Title → rows. */
type Sheets = Record<string, Cell[][]>;

const text = { type: 'string', minLength: 1 };
const input = { enum: ['RAW', 'USER_ENTERED'] };
const rows = { type: 'array', items: { type: 'array', items: { type: ['string', 'number', 'boolean', 'null'] } } };
const rendering = {
  valueRenderOption: { enum: ['UNFORMATTED_VALUE', 'FORMATTED_VALUE', 'FORMULA'] },
  dateTimeRenderOption: { enum: ['FORMATTED_STRING', 'SERIAL_NUMBER'] },
};

export interface SheetsServer extends ApiServer {
  /** The document `doc1`; its sheets have the IDs 0, 1, … in order. */
  sheets: Sheets;
}

/**
 * https://developers.google.com/workspace/sheets/api/reference/rest with one document, for the
 * token `ya29`.
 */
export async function googleSheetsServer(): Promise<SheetsServer> {
  const state: { sheets: Sheets } = { sheets: {} };
  const at = (range: string) => rangeOf(state.sheets, range);
  const valuesOf = (range: string) => {
    const { grid, top, bottom, left, right } = at(range);
    const cells = grid.slice(top, bottom + 1).map((row) => trimmed(row.slice(left, right + 1).map((cell) => cell ?? '')));
    while (cells.length > 0 && cells.at(-1)?.length === 0) cells.pop();
    return { range, majorDimension: 'ROWS', ...(cells.length > 0 && { values: cells }) };
  };
  const write = (range: string, values: (Cell | null)[][]) => {
    const { grid, top, left } = at(range);
    for (const [index, cells] of values.entries()) {
      const row = grid[top + index] ?? [];
      grid[top + index] = row;
      for (const [column, cell] of cells.entries()) if (cell !== null) row[left + column] = cell;
    }
    for (let index = 0; index < grid.length; index++) grid[index] = Array.from(grid[index] ?? [], (cell) => cell ?? '');
  };
  const server = await apiServer({
    baseUrl: 'https://sheets.googleapis.com',
    headers: { authorization: /^Bearer ya29$/ },
    routes: {
      'GET /v4/spreadsheets/:id': {
        query: fields({ 'fields!': { const: 'sheets.properties' } }),
        answer: () => ({
          json: {
            sheets: Object.entries(state.sheets).map(([title, grid], sheetId) => ({
              properties: { ...(sheetId > 0 && { sheetId }), title, gridProperties: { rowCount: Math.max(1, grid.length) } },
            })),
          },
        }),
      },
      'GET /v4/spreadsheets/:id/values/:range': {
        query: fields(rendering),
        answer: ({ params }) => ({ json: valuesOf(params['range'] ?? '') }),
      },
      'GET /v4/spreadsheets/:id/values:batchGet': {
        query: fields({ 'ranges!': {}, ...rendering }),
        answer: ({ query }) => ({ json: { valueRanges: [query['ranges'] ?? []].flat().map(valuesOf) } }),
      },
      'POST /v4/spreadsheets/:id/values:batchUpdate': {
        body: fields({
          'valueInputOption!': input,
          'data!': { type: 'array', minItems: 1, items: fields({ 'range!': text, 'values!': rows }) },
        }),
        answer: ({ body }) => {
          for (const { range, values } of (body as { data: { range: string; values: (Cell | null)[][] }[] }).data)
            write(range, values);
          return { json: {} };
        },
      },
      'POST /v4/spreadsheets/:id/values/:range::append': {
        query: fields({ 'valueInputOption!': input, 'insertDataOption!': { const: 'INSERT_ROWS' } }),
        body: fields({ 'values!': rows }),
        answer: ({ params, body }) => {
          const { title, grid } = at(params['range'] ?? '');
          const start = `A${grid.length + 1}`;
          write(`'${title}'!${start}`, (body as { values: (Cell | null)[][] }).values);
          return { json: { updates: { updatedRange: `'${title}'!${start}:B${grid.length}` } } };
        },
      },
      'POST /v4/spreadsheets/:id/values/:range::clear': {
        answer: ({ params }) => {
          const { grid, top, bottom, left, right } = at(params['range'] ?? '');
          for (const [index, row] of grid.entries())
            if (index >= top && index <= bottom)
              grid[index] = row.map((cell, column) => (column >= left && column <= right ? '' : cell));
          return { json: {} };
        },
      },
      'POST /v4/spreadsheets/:id::batchUpdate': {
        body: fields({
          'requests!': { type: 'array', minItems: 1, items: { type: 'object', minProperties: 1, maxProperties: 1 } },
        }),
        answer: ({ body }) => ({ json: { replies: (body as { requests: object[] }).requests.map((request) => request) } }),
      },
      'POST /v4/spreadsheets': {
        body: fields({
          'properties!': fields({ 'title!': text, locale: text, autoRecalc: text }),
          sheets: { type: 'array', items: fields({ 'properties!': fields({ 'title!': text, hidden: { type: 'boolean' } }) }) },
        }),
        answer: ({ body }) => ({ json: { spreadsheetId: 'doc2', ...(body as object) } }),
      },
    },
  });
  return Object.assign(state, server);
}

function rangeOf(sheets: Sheets, range: string) {
  const [, quoted, plain, a1 = ''] = /^(?:'((?:[^']|'')+)'|([^'!]+)(?=!))?!?(.*)$/.exec(range) ?? [];
  const title = quoted?.replaceAll("''", "'") ?? plain ?? Object.keys(sheets)[0] ?? '';
  const grid = sheets[title];
  if (!grid) throw new Error(`no sheet for ${range}`);
  const [, left = '', top = '', right = left, bottom = top] = /^([A-Z]*)(\d*)(?::([A-Z]*)(\d*))?$/.exec(a1) ?? [];
  return {
    title,
    grid,
    top: top === '' ? 0 : Number(top) - 1,
    bottom: bottom === '' ? Number.POSITIVE_INFINITY : Number(bottom) - 1,
    left: left === '' ? 0 : columnIndex(left),
    right: right === '' ? Number.POSITIVE_INFINITY : columnIndex(right),
  };
}

function trimmed(row: Cell[]): Cell[] {
  const last = row.findLastIndex((cell) => cell !== '');
  return row.slice(0, last + 1);
}
