import type { NodeProperty } from '@sluice/node-sdk';
import { readingOptions } from '../../formats/table-properties.ts';
import { atLeast, choice, choices, number, options, text, toggle, where } from '../../shared/properties.ts';
import { encodingChoices } from '../../shared/text-encoding.ts';

const tables = where({ operation: ['csv', 'html', 'rtf', 'ods', 'xls', 'xlsx'] });
const values = where({ operation: ['binaryToPropery', 'fromJson', 'text', 'fromIcs', 'xml'] });

const keepSource = choice(
  'keepSource',
  'Keep Source',
  choices(['json', 'JSON', 'the fields of the input item'], ['binary', 'Binary', 'its files'], ['both', 'Both']),
  { description: 'Parts of the input item to keep; default: nothing' },
);

export const extractFromFileProperties: readonly NodeProperty[] = [
  choice(
    'operation',
    'Operation',
    choices(
      ['csv', 'Extract From CSV', 'an item for each row; values are strings'],
      ['html', 'Extract From HTML', 'an item for each row of the first table'],
      ['fromIcs', 'Extract From ICS', 'the calendar as JSON'],
      ['fromJson', 'Extract From JSON'],
      ['ods', 'Extract From ODS', 'an item for each row of a sheet'],
      ['pdf', 'Extract From PDF', 'the text and the document’s metadata'],
      ['rtf', 'Extract From RTF', 'an item for each row of its table'],
      ['text', 'Extract From Text File'],
      ['xml', 'Extract From XML', 'the text; the XML node converts it to JSON'],
      ['xls', 'Extract From XLS', 'an item for each row of a sheet'],
      ['xlsx', 'Extract From XLSX', 'an item for each row of a sheet'],
      ['binaryToPropery', 'Move File to Base64 String'],
    ),
  ),
  text('binaryPropertyName', 'Input Binary Field', 'Property of the item with the file', { default: 'data', required: true }),
  text('destinationKey', 'Destination Output Field', 'Field for the value', {
    default: 'data',
    required: true,
    ...values,
  }),
  options(readingOptions('operation', { detectable: false }), tables),
  options(
    [
      choice('encoding', 'File Encoding', encodingChoices, { description: 'Text encoding' }),
      toggle('stripBOM', 'Strip BOM', 'Whether to remove a byte order mark at the start', { default: true }),
      keepSource,
    ],
    values,
  ),
  options(
    [
      toggle('joinPages', 'Join Pages', 'Whether to return one text instead of a list of pages', { default: true }),
      keepSource,
      atLeast(0, number('maxPages', 'Max Pages', 0, 'Maximum number of pages to read; 0: all')),
      text('password', 'Password', 'The password of an encrypted document', { typeOptions: { password: true } }),
    ],
    where({ operation: ['pdf'] }),
  ),
];
