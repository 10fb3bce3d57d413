import { type ExecuteContext, errorMessage, type JsonObject, NodeOperationError } from '@sluice/node-sdk';
import { readBinary } from '../shared/binary-files.ts';
import { booleanParameter, numberParameter, type ParameterSource, textParameter } from '../shared/parameters.ts';
import { codecParameter, utf16Of } from '../shared/text-encoding.ts';
import { ThreadError } from '../threads/work-threads.ts';
import { runFormat } from './run-format.ts';
import type { CsvOptions } from './tasks.ts';

/**
 * Maximum number of characters that are parsed at once on this thread: less time than starting a
 * thread takes.
 */
const maxInlineLength = 32 * 1024;

/**
 * The rows of an item's CSV file, by the parameters below `options`. Values are strings. If the
 * format was only detected, the CSV options are hidden and have their defaults.
 */
export async function readCsvRows(
  context: ExecuteContext,
  itemIndex: number,
  property: string,
  { detected = false } = {},
): Promise<JsonObject[]> {
  const source = detected ? withoutParameters : context;
  const codec = await codecParameter(source, 'options.encoding', itemIndex);
  const bytes = await readBinary(context, itemIndex, property);
  const text = await codec.decode(bytes, utf16Of(bytes) !== undefined);
  const task = { text, options: csvOptions(context, source, itemIndex) };
  try {
    const parts = text.length > maxInlineLength ? await runFormat(context, 'readCsv', task) : await readHere(task);
    return parts.flat() as JsonObject[];
  } catch (error) {
    context.signal.throwIfAborted();
    const description = 'Check the options "Delimiter" and "Preserve Quotes", or switch on "Skip Records With Errors"';
    throw new NodeOperationError(`the CSV file cannot be read: ${errorMessage(error)}`, {
      itemIndex,
      description,
      ...(error instanceof ThreadError ? {} : { cause: error }),
    });
  }
}

async function readHere(task: { text: string; options: CsvOptions }): Promise<JsonObject[][]> {
  const { readCsv } = await import('./read-csv.ts');
  const parts: JsonObject[][] = [];
  for await (const part of readCsv(task)) parts.push(part as JsonObject[]);
  return parts;
}

const withoutParameters: ParameterSource = { parameter: (_path, _itemIndex, fallback) => fallback as never };

/** `csv`: where the options that only apply to CSV files are read. */
function csvOptions(context: ExecuteContext, csv: ParameterSource, itemIndex: number): CsvOptions {
  const flag = (name: string) => booleanParameter(csv, `options.${name}`, itemIndex, false);
  const integer = (name: string, fallback: number) => Math.trunc(numberParameter(csv, `options.${name}`, itemIndex, fallback));
  const maxSkipped = integer('skipRecordsWithErrors.value.maxSkippedRecords', -1);
  return {
    delimiter: textParameter(csv, 'options.delimiter', itemIndex).replace(/^\\t$/, '\t') || ',',
    headerRow: booleanParameter(context, 'options.headerRow', itemIndex, true),
    includeEmptyCells: booleanParameter(context, 'options.includeEmptyCells', itemIndex, false),
    stripBom: flag('enableBOM'),
    relaxQuotes: flag('relaxQuotes'),
    fromLine: Math.max(1, integer('fromLine', 0)),
    maxRowCount: integer('maxRowCount', -1),
    ...(flag('skipRecordsWithErrors.value.enabled') && {
      maxSkipped: maxSkipped < 0 ? Number.POSITIVE_INFINITY : maxSkipped,
    }),
  };
}
