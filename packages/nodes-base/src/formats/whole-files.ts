import type { ExecuteContext, JsonObject } from '@sluice/node-sdk';
import { readBinary } from '../shared/binary-files.ts';
import { formatFailure, runFormat } from './run-format.ts';
import type { FormatTasks, TaskName } from './tasks.ts';

/*
 * Item files as text, for nodes of other packages. All work proportional to the file size is done
 * on a work thread.
 */

/** The text of each page of a PDF file. */
export async function readPdfPages(context: ExecuteContext, itemIndex: number, property: string): Promise<string[]> {
  const bytes = await readBinary(context, itemIndex, property);
  const input = { bytes, password: '', maxPages: 0, joinPages: false };
  const [facts] = await read(context, itemIndex, 'the PDF file', 'readPdf', input);
  return (facts?.['text'] ?? []) as string[];
}

/** The rows of a CSV file whose first row contains the column names. */
export async function readCsvFile(
  context: ExecuteContext,
  itemIndex: number,
  property: string,
  delimiter: string,
): Promise<JsonObject[]> {
  const text = new TextDecoder().decode(await readBinary(context, itemIndex, property));
  const options = {
    delimiter,
    headerRow: true,
    includeEmptyCells: false,
    stripBom: true,
    relaxQuotes: true,
    fromLine: 1,
    maxRowCount: -1,
  };
  const parts = await read(context, itemIndex, 'the CSV file', 'readCsv', { text, options });
  return parts.flat() as JsonObject[];
}

/** The text of a Word document, with one line per paragraph. */
export async function docxText(context: ExecuteContext, itemIndex: number, property: string): Promise<string> {
  const archive = await readBinary(context, itemIndex, property);
  const [document] = await read(context, itemIndex, 'the Word document', 'readDocx', { archive });
  return `${document?.['text'] ?? ''}`;
}

async function read<Name extends TaskName>(
  context: ExecuteContext,
  itemIndex: number,
  what: string,
  name: Name,
  input: FormatTasks[Name]['input'],
): Promise<FormatTasks[Name]['part'][]> {
  try {
    return await runFormat(context, name, input);
  } catch (error) {
    throw formatFailure(error, `${what} cannot be read`, itemIndex, 'Check that the file has the chosen format');
  }
}
