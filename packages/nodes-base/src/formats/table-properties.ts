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

/** Options for reading tables. `format` is the name of the format parameter; `detectable`: it may be "autodetect". */
export function readingOptions(format: string, { detectable }: { detectable: boolean }): NodeProperty[] {
  const csv = where({ [`/${format}`]: ['csv'] });
  const sheets = detectable ? {} : where({ [`/${format}`]: ['ods', 'xls', 'xlsx'] });
  return [
    text('delimiter', 'Delimiter', 'Separator between the values of a row', { default: ',', ...csv }),
    {
      ...text('encoding', 'Encoding', 'How the text is encoded'),
      type: 'options',
      default: 'utf-8',
      options: csvEncodings,
      ...csv,
    },
    toggle(
      'enableBOM',
      'Exclude Byte Order Mark',
      'Whether a byte order mark is cut off rather than kept in the first name',
      csv,
    ),
    toggle('relaxQuotes', 'Preserve Quotes', 'Whether quotes within a value that is not quoted are part of it', csv),
    toggle('headerRow', 'Header Row', 'Whether the first row names the fields; otherwise each item is `{ "row": […] }`', {
      default: true,
    }),
    toggle('includeEmptyCells', 'Include Empty Cells', 'Whether empty cells become fields with an empty text'),
    atLeast(-1, number('maxRowCount', 'Max Number of Rows to Load', -1, 'How many rows to read; -1 for all of them', csv)),
    text('range', 'Range', 'The cells to read, such as `A1:C10`, or the 0-based number of the first row', sheets),
    toggle('rawData', 'RAW Data', 'Whether values of text formats stay as they are, not read as numbers or dates'),
    toggle('readAsString', 'Read As String', 'Whether the file is read as UTF-8 text'),
    text('sheetName', 'Sheet Name', 'The sheet to read; the first one where it is not set', { default: 'Sheet', ...sheets }),
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
            toggle('enabled', 'Enabled', 'Whether records that cannot be read are left out'),
            atLeast(-1, number('maxSkippedRecords', 'Max Skipped Records', -1, 'How many may be left out; -1 for any number')),
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
    text('fileName', 'File Name', 'The name of the file, with its extension'),
    toggle('headerRow', 'Header Row', 'Whether the first row has the names of the fields', { default: true }),
    text('sheetName', 'Sheet Name', 'The name of the sheet', {
      default: 'Sheet',
      ...where({ [`/${format}`]: ['ods', 'xls', 'xlsx'] }),
    }),
  ];
}
