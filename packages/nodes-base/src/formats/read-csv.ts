import { parse } from 'csv-parse';
import { stringOf } from '../shared/coerced-text.ts';
import { rowParts } from './row-parts.ts';
import type { CsvOptions, FormatJson, FormatTasks } from './tasks.ts';

/** Maximum number of characters in a record: an open quote must not collect the whole file. */
const maxRecord = 4 * 1024 * 1024;

type Task = FormatTasks['readCsv'];

/**
 * The rows of a CSV file, in batches. Values are strings. Rows after `maxRowCount` are not parsed.
 */
export async function* readCsv({ text, options }: Task['input']): AsyncGenerator<Task['part']> {
  if (options.maxRowCount === 0) return;
  const parser = parse({
    delimiter: options.delimiter,
    bom: options.stripBom,
    relax_quotes: options.relaxQuotes,
    skip_empty_lines: true,
    from_line: options.fromLine,
    skip_records_with_error: options.maxSkipped !== undefined,
    max_record_size: maxRecord,
  });
  let skipped = 0;
  parser.on('skip', () => {
    if (++skipped > (options.maxSkipped ?? 0)) parser.destroy(new Error('it has too many records with errors'));
  });
  parser.end(text);
  yield* rowParts(rowsOf(parser, options));
}

async function* rowsOf(records: AsyncIterable<string[]>, options: CsvOptions): AsyncGenerator<FormatJson> {
  let header: string[] | undefined;
  let count = 0;
  for await (const record of records) {
    if (options.headerRow && !header) {
      header = record;
      continue;
    }
    yield header
      ? namedCells(header, record, options.includeEmptyCells)
      : { row: options.includeEmptyCells ? record : namedCells([...record.keys()].map(stringOf), record, false) };
    if (++count === options.maxRowCount) return;
  }
}

/** Creates own properties for any column name; for duplicate names, the last column wins. */
function namedCells(header: readonly string[], record: readonly string[], keepEmpty: boolean): FormatJson {
  const cells = record.map((cell, column) => [header[column] ?? '', cell] as const);
  return Object.fromEntries(keepEmpty ? cells : cells.filter(([, cell]) => cell !== ''));
}
