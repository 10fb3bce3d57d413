import type { ExecuteContext, JsonObject } from '@sluice/node-sdk';
import { readBinary } from '../shared/binary-files.ts';
import { booleanParameter, numberParameter } from '../shared/parameters.ts';
import { formatFailure, runFormat } from './run-format.ts';

/** Scanned documents are large, although their text is short. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Text and metadata of an item's PDF file, see `readPdf`; by the parameters `joinPages` and
 * `maxPages` below `options`.
 */
export async function pdfFacts(
  context: ExecuteContext,
  itemIndex: number,
  file: { property: string; password: string },
): Promise<JsonObject> {
  const bytes = await readBinary(context, itemIndex, file.property, maxBytes);
  const input = {
    bytes,
    password: file.password,
    maxPages: Math.max(0, Math.trunc(numberParameter(context, 'options.maxPages', itemIndex, 0))),
    joinPages: booleanParameter(context, 'options.joinPages', itemIndex, true),
  };
  try {
    const [facts = {}] = await runFormat(context, 'readPdf', input);
    return facts as JsonObject;
  } catch (error) {
    throw formatFailure(error, 'the PDF file cannot be read', itemIndex, 'Check that the file is a PDF, and its password');
  }
}
