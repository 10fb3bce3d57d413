import type { NodeProperty } from '@sluice/node-sdk';
import { readingOptions, writingOptions } from '../../formats/table-properties.ts';
import { choice, choices, options, text, when, where } from '../../shared/properties.ts';

const formats = choices(['csv', 'CSV'], ['html', 'HTML'], ['ods', 'ODS'], ['rtf', 'RTF'], ['xls', 'XLS'], ['xlsx', 'XLSX']);

export const spreadsheetFileProperties: readonly NodeProperty[] = [
  choice(
    'operation',
    'Operation',
    choices(['fromFile', 'Read From File', 'an item for each row'], ['toFile', 'Write to File', 'a row for each item']),
  ),
  text('binaryPropertyName', 'Field with the File', 'Property of the item with the file, or for it', {
    default: 'data',
    required: true,
  }),
  choice(
    'fileFormat',
    'File Format',
    [...choices(['autodetect', 'Autodetect', 'by the file’s type and name']), ...formats],
    when([2], { operation: ['fromFile'] }),
  ),
  choice('fileFormat', 'File Format', formats, { default: 'xls', ...where({ operation: ['toFile'] }) }),
  options(readingOptions('fileFormat', { detectable: true }), where({ operation: ['fromFile'] })),
  options(writingOptions('fileFormat'), where({ operation: ['toFile'] })),
];
