import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { googleClient } from '../../shared/google-client.ts';
import { asText, objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import type { ServiceItem, ServiceNode } from '../../shared/service-item.ts';

/** https://developers.google.com/workspace/sheets/api/reference/rest */
export const sheetsUrl = 'https://sheets.googleapis.com/v4';
/** Versions whose default is a service account. */
export const byServiceAccount = [1];
export const sheetsClient = googleClient('Google Sheets', sheetsUrl, 'googleSheetsOAuth2Api', byServiceAccount);

/** A node, or an editor, that reads a document. */
export type Reader = Pick<ServiceNode, 'send'>;

export type Cell = JsonValue;
export type Row = readonly Cell[];

/** How values are read, and how the service interprets written text. */
export interface Rendering {
  valueRenderOption: string;
  dateTimeRenderOption: string;
}
export type ValueInput = 'RAW' | 'USER_ENTERED';

/** Cells as values; dates as text. */
export const plainValues: Rendering = { valueRenderOption: 'UNFORMATTED_VALUE', dateTimeRenderOption: 'FORMATTED_STRING' };

export interface SheetProperties {
  sheetId: number;
  title: string;
  rowCount: number;
}

const spreadsheet = (documentId: string): string => `/spreadsheets/${encodeURIComponent(documentId)}`;
const valuesPath = (documentId: string, range: string): string =>
  `${spreadsheet(documentId)}/values/${encodeURIComponent(range)}`;

/** A document's sheets, in order. */
export async function sheetsOf(reader: Reader, documentId: string): Promise<SheetProperties[]> {
  const query = { fields: 'sheets.properties' };
  const body = await reader.send({ path: spreadsheet(documentId), query });
  return objectsOf(objectOf(body)['sheets']).map(({ properties }) => {
    // Members with the value 0 are omitted from responses.
    const { sheetId = 0, title = '', gridProperties } = objectOf(properties);
    const { rowCount = 0 } = objectOf(gridProperties);
    return { sheetId: Number(sheetId), title: asText(title), rowCount: Number(rowCount) };
  });
}

/** Rows in a range, without trailing empty cells and rows. */
export async function readRows(
  reader: Reader,
  documentId: string,
  range: string,
  rendering: Rendering = plainValues,
): Promise<Row[]> {
  const body = await reader.send({ path: valuesPath(documentId, range), query: { ...rendering } });
  return rowsIn(body);
}

/** Rows in several ranges. */
export async function readRanges(reader: Reader, documentId: string, ranges: readonly string[]): Promise<Row[][]> {
  const query = { ranges: [...ranges], ...plainValues };
  const body = await reader.send({ path: `${spreadsheet(documentId)}/values:batchGet`, query });
  return objectsOf(objectOf(body)['valueRanges']).map(rowsIn);
}

/** Overwrites ranges; `null` keeps a cell unchanged. */
export async function writeRanges(
  item: ServiceItem,
  documentId: string,
  valueInputOption: ValueInput,
  data: readonly { range: string; values: readonly Row[] }[],
): Promise<void> {
  const path = `${spreadsheet(documentId)}/values:batchUpdate`;
  await item.send({ path, json: { valueInputOption, data: data as unknown as JsonValue } });
}

/** Adds rows below the last one of a sheet. Resolves to the range that was written. */
export async function appendRows(
  item: ServiceItem,
  documentId: string,
  range: string,
  valueInputOption: ValueInput,
  values: readonly Row[],
): Promise<string> {
  const body = await item.send({
    path: `${valuesPath(documentId, range)}:append`,
    query: { valueInputOption, insertDataOption: 'INSERT_ROWS' },
    json: { values: values as unknown as JsonValue },
  });
  return textOf(objectOf(objectOf(body)['updates'])['updatedRange']);
}

export async function clearRange(item: ServiceItem, documentId: string, range: string): Promise<void> {
  await item.send({ method: 'POST', path: `${valuesPath(documentId, range)}:clear` });
}

/** Changes a document's structure. Resolves to the replies, one per request. */
export async function changeDocument(
  item: ServiceItem,
  documentId: string,
  requests: readonly JsonObject[],
): Promise<JsonObject[]> {
  const body = await item.send({ path: `${spreadsheet(documentId)}:batchUpdate`, json: { requests: [...requests] } });
  return objectsOf(objectOf(body)['replies']);
}

function rowsIn(body: JsonValue | undefined): Row[] {
  const values = objectOf(body)['values'];
  return Array.isArray(values) ? values.filter((row) => Array.isArray(row)) : [];
}
