import type { NodeProperty } from '@sluice/node-sdk';
import { atLeast, choices, number, text, toggle, where } from '../shared/properties.ts';

/** CSV file encodings, as editors offer them. */
const csvEncodings = choices(
  ['ascii', 'ASCII'],
  ['latin1', 'Latin 1'],
  ['ucs-2', 'UCS-2'],
  ['ucs2', 'UCS2'],
  ['utf-8', 'UTF-8'],
  ['utf16le', 'UTF-16, little endian'],
  ['utf8', 'UTF8'],
);

/**
 * Options for reading tables. `format` is the name of the format parameter; `detectable`: it may be
 * "autodetect".
 */
export function readingOptions(format: string, { detectable }: { detectable: boolean }): NodeProperty[] {
  const csv = where({ [`/${format}`]: ['csv'] });
  const sheets = detectable ? {} : where({ [`/${format}`]: ['ods', 'xls', 'xlsx'] });
  return [
    text('delimiter', 'Delimiter', 'Separator between the values of a row', { default: ',', ...csv }),
    {
      ...text('encoding', 'Encoding', 'Text encoding'),
      type: 'options',
      default: 'utf-8',
      options: csvEncodings,
      ...csv,
    },
    toggle(
      'enableBOM',
      'Exclude Byte Order Mark',
      'Whether to remove a byte order mark instead of keeping it in the first name',
      csv,
    ),
    toggle('relaxQuotes', 'Preserve Quotes', 'Whether quotes within an unquoted value are part of it', csv),
    toggle(
      'headerRow',
      'Header Row',
      'Whether the first row contains the field names; otherwise each item is `{ "row": […] }`',
      {
        default: true,
      },
    ),
    toggle('includeEmptyCells', 'Include Empty Cells', 'Whether empty cells become fields with an empty text'),
    atLeast(-1, number('maxRowCount', 'Max Number of Rows to Load', -1, 'Maximum number of rows to read; -1: all', csv)),
    text('range', 'Range', 'The cells to read, such as `A1:C10`, or the 0-based number of the first row', sheets),
    toggle('rawData', 'RAW Data', 'Whether to keep values in text formats unchanged instead of reading numbers and dates'),
    toggle('readAsString', 'Read As String', 'Whether the file is read as UTF-8 text'),
    text('sheetName', 'Sheet Name', 'Sheet to read; default: the first sheet', { default: 'Sheet', ...sheets }),
    atLeast(0, number('fromLine', 'Starting Line', 0, 'The number of the line to start at', csv)),
    {
      displayName: 'Skip Records With Errors',
      name: 'skipRecordsWithErrors',
      type: 'fixedCollection',
      default: {},
      options: [
        {
          name: 'value',
          displayName: 'Value',
          values: [
            toggle('enabled', 'Enabled', 'Whether to skip records that cannot be read'),
            atLeast(
              -1,
              number('maxSkippedRecords', 'Max Skipped Records', -1, 'Maximum number of skipped records; -1: no limit'),
            ),
          ],
        },
      ],
      ...csv,
    },
  ];
}

/** Options for writing tables. */
export function writingOptions(format: string, more: readonly NodeProperty[] = []): NodeProperty[] {
  return [
    toggle('compression', 'Compression', 'Whether the file is compressed', where({ [`/${format}`]: ['xlsx', 'ods'] })),
    ...more,
    text('fileName', 'File Name', 'File name with its extension'),
    toggle('headerRow', 'Header Row', 'Whether the first row contains the field names', { default: true }),
    text('sheetName', 'Sheet Name', 'Sheet name', {
      default: 'Sheet',
      ...where({ [`/${format}`]: ['ods', 'xls', 'xlsx'] }),
    }),
  ];
}
