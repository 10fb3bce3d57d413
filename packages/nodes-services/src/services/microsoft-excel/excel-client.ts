import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { columnLetters } from '../../shared/a1.ts';
import type { ApiRequest } from '../../shared/api-client.ts';
import { objectOf } from '../../shared/json-values.ts';
import { encodedId, microsoftGraph, odataText } from '../../shared/microsoft-graph.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://learn.microsoft.com/graph/api/resources/excel */
export const excelClient = microsoftGraph('Microsoft Excel', 'microsoftExcelOAuth2Api', () => '/me/drive');

/** A node, or an editor, that reads a workbook. */
export interface Reader {
  send(request: ApiRequest): Promise<JsonValue | undefined>;
}

export type Row = readonly JsonValue[];

/** Matches browser URLs. */
export const workbookUrl = /[?&](?:resid|id)=([^&#]+)/i;

export const filePath = (item: ServiceItem): string => `/items/${encodedId(item, 'workbook', workbookUrl)}`;
export const workbookPath = (item: ServiceItem): string => `${filePath(item)}/workbook`;
export const sheetPath = (item: ServiceItem): string => `${workbookPath(item)}/worksheets/${encodedId(item, 'worksheet')}`;
export const tablePath = (item: ServiceItem): string => `${sheetPath(item)}/tables/${encodedId(item, 'table')}`;

/** A worksheet's cells, with the position of the first one, 0-based. */
export interface Cells {
  row: number;
  column: number;
  values: Row[];
}

/** Path of a range in A1 notation; without a range, of all cells with values. */
export const rangePath = (sheet: string, address = ''): string =>
  address === '' ? `${sheet}/usedRange(valuesOnly=true)` : `${sheet}/range(address=${encodeURIComponent(odataText(address))})`;

/**
 * https://learn.microsoft.com/graph/api/worksheet-usedrange; an empty worksheet has one empty cell.
 */
export async function readCells(reader: Reader, sheet: string, address?: string): Promise<Cells> {
  const query = { $select: 'columnIndex,rowIndex,values' };
  const { rowIndex, columnIndex, values } = objectOf(await reader.send({ path: rangePath(sheet, address), query }));
  const rows = Array.isArray(values) ? values.filter((row) => Array.isArray(row)) : [];
  return { row: Number(rowIndex ?? 0), column: Number(columnIndex ?? 0), values: rows };
}

/**
 * Overwrites cells; `null` keeps a cell unchanged:
 * https://learn.microsoft.com/graph/api/range-update
 */
export async function writeCells(item: ServiceItem, sheet: string, { row, column, values }: Cells): Promise<JsonValue> {
  const last = columnLetters(column + (values[0]?.length ?? 1) - 1);
  const address = `${columnLetters(column)}${row + 1}:${last}${row + values.length}`;
  const json = { values: values as unknown as JsonValue };
  return (await item.send({ method: 'PATCH', path: rangePath(sheet, address), json })) ?? null;
}

/** Maximum number of table rows or columns in a response. */
export const pageSize = 1_000;

/** Table lists have no next-page URL: the last page is not full. */
export const skipPages: Paging = {
  list: 'value',
  next({ body }, count) {
    const { value, '@odata.nextLink': next } = objectOf(body);
    if (typeof next === 'string') return { path: next };
    return Array.isArray(value) && value.length >= pageSize ? { query: { $skip: count } } : undefined;
  },
};

/** Adds the page size to a list request. */
export function paged(request: ApiRequest, limit: number): ApiRequest {
  return { ...request, query: { ...request.query, $top: Math.min(limit, pageSize) } };
}

/** Response fields that the author selected, as a query. */
export function selected(fields: string): JsonObject {
  return fields.trim() === '' ? {} : { $select: fields };
}
