import { isUtf8 } from 'node:buffer';
import { type ExecuteContext, type JsonObject, NodeOperationError } from '@sluice/node-sdk';
import { readBinary } from '../shared/binary-files.ts';
import { booleanParameter, textParameter } from '../shared/parameters.ts';
import { utf16Of } from '../shared/text-encoding.ts';
import { formatFailure, runFormat } from './run-format.ts';
import { type SheetKind, sheetKind } from './sheet-signature.ts';
import type { FormatTasks, SheetOptions } from './tasks.ts';

/**
 * Files that may contain rows. `workbook` excludes CSV and other text; `html` and `rtf` exclude
 * text without such a table.
 */
type ExpectedSheet = 'workbook' | 'html' | 'rtf' | 'any';

/**
 * The rows of a sheet in an item's file, by the parameters below `options`. The content determines
 * the format. An unknown format is an error, since any bytes could be read as columns of text.
 */
export async function readSheetRows(
  context: ExecuteContext,
  itemIndex: number,
  { property, expected }: { property: string; expected: ExpectedSheet },
): Promise<JsonObject[]> {
  const bytes = tableOf(expected, withoutUtf16(await readBinary(context, itemIndex, property)), itemIndex);
  const readAsText = booleanParameter(context, 'options.readAsString', itemIndex, false);
  const kind = sheetKind(bytes);
  if (kind === 'unknown' && !readAsText) throw noSheet('it is neither a known format nor text', itemIndex);
  if (expected === 'workbook' && (kind === 'text' || kind === 'unknown')) throw noSheet('it is not a workbook', itemIndex);
  const content = contentOf(bytes, kind, readAsText);
  try {
    const parts = await runFormat(context, 'readSheet', { content, options: sheetOptions(context, itemIndex) });
    return parts.flat() as JsonObject[];
  } catch (error) {
    const hint = 'Check that the file is a spreadsheet, and the options "Sheet Name" and "Range"';
    throw formatFailure(error, 'the spreadsheet cannot be read', itemIndex, hint);
  }
}

const tables = { html: /<table\b/i, rtf: /^(?:\xEF\xBB\xBF)?\s*\{\\rtf[\s\S]*\\(?:cell|row)\b/ };

/** The part of a string that starts with the expected table; other files are unchanged. */
function tableOf(expected: ExpectedSheet, bytes: Buffer, itemIndex: number): Buffer {
  if ((expected !== 'html' && expected !== 'rtf') || sheetKind(bytes) !== 'text') return bytes;
  // In Latin 1, characters are bytes.
  const match = tables[expected].exec(bytes.toString('latin1'));
  if (match) return bytes.subarray(match.index);
  throw new NodeOperationError(`the file has no ${expected.toUpperCase()} table`, {
    itemIndex,
    description:
      'Check that it is the right file; each row of a table becomes an item, and other text is read by "Extract From Text File"',
  });
}

/** A string with a byte order mark of UTF-16, as UTF-8; other bytes are unchanged. */
function withoutUtf16(bytes: Buffer): Buffer {
  const encoding = utf16Of(bytes);
  return encoding ? Buffer.from(new TextDecoder(encoding).decode(bytes)) : bytes;
}

function contentOf(bytes: Buffer, kind: SheetKind, readAsText: boolean): FormatTasks['readSheet']['input']['content'] {
  if (kind === 'archive') return bytes;
  // Formats other than text contain zeros; without this, non-ASCII letters would be read as Latin
  // 1.
  const isText = isUtf8(bytes) && !bytes.includes(0);
  return kind !== 'workbook' && (isText || readAsText) ? bytes.toString('utf8').replace(/^\uFEFF/, '') : bytes;
}

function noSheet(problem: string, itemIndex: number): NodeOperationError {
  return new NodeOperationError(`the file is not a spreadsheet: ${problem}`, {
    itemIndex,
    description: 'Check that it is the right file and that it is complete; CSV and other text have separate operations',
  });
}

function sheetOptions(context: ExecuteContext, itemIndex: number): SheetOptions {
  const range = textParameter(context, 'options.range', itemIndex).trim();
  const sheetName = textParameter(context, 'options.sheetName', itemIndex);
  return {
    headerRow: booleanParameter(context, 'options.headerRow', itemIndex, true),
    includeEmptyCells: booleanParameter(context, 'options.includeEmptyCells', itemIndex, false),
    rawData: booleanParameter(context, 'options.rawData', itemIndex, false),
    ...(range && { range }),
    ...(sheetName && { sheetName }),
  };
}
