import type { NodeProperty } from '@sluice/node-sdk';
import { calendarProperties } from '../../formats/calendar-properties.ts';
import { writingOptions } from '../../formats/table-properties.ts';
import { choice, choices, options, text, toggle, where } from '../../shared/properties.ts';
import { encodingChoices } from '../../shared/text-encoding.ts';

const addBom = toggle('addBOM', 'Add Byte Order Mark (BOM)', 'Whether the text starts with a byte order mark');
const encoding = choice('encoding', 'Encoding', encodingChoices, { description: 'Text encoding' });
const fileName = text('fileName', 'File Name', 'File name with its extension');

const sourceProperty = (operation: string, description: string) =>
  text('sourceProperty', 'Input Field', description, { required: true, ...where({ operation: [operation] }) });

export const convertToFileProperties: readonly NodeProperty[] = [
  choice(
    'operation',
    'Operation',
    choices(
      ['csv', 'Convert to CSV', 'a row for each item, in UTF-8 with a byte order mark'],
      ['html', 'Convert to HTML', 'a table with a row for each item'],
      ['iCal', 'Convert to ICS', 'an event for each item, in a separate file'],
      ['toJson', 'Convert to JSON'],
      ['ods', 'Convert to ODS', 'a row for each item'],
      ['rtf', 'Convert to RTF', 'a table with a row for each item'],
      ['toText', 'Convert to Text File', 'a file for each item'],
      ['xls', 'Convert to XLS', 'a row for each item'],
      ['xlsx', 'Convert to XLSX', 'a row for each item'],
      ['toBinary', 'Move Base64 String to File', 'a file for each item'],
    ),
  ),
  sourceProperty('toBinary', 'Field that contains the file in base64'),
  sourceProperty('toText', 'Field that contains the text'),
  choice(
    'mode',
    'Mode',
    choices(['once', 'All Items to One File', 'a list of all items'], ['each', 'Each Item to Separate File']),
    where({ operation: ['toJson'] }),
  ),
  ...calendarProperties(where({ operation: ['iCal'] })),
  text('binaryPropertyName', 'Put Output File in Field', 'Property of the item for the file', {
    default: 'data',
    required: true,
  }),
  options(
    writingOptions('operation', [
      text('delimiter', 'Delimiter', 'Separator between the values of a row', {
        default: ',',
        ...where({ '/operation': ['csv'] }),
      }),
    ]),
    where({ operation: ['csv', 'html', 'rtf', 'ods', 'xls', 'xlsx'] }),
  ),
  options(
    [
      addBom,
      toggle('dataIsBase64', 'Data Is Base64', 'Whether the field contains base64 instead of text', {
        default: true,
        ...where({ '@version': [1] }),
      }),
      encoding,
      fileName,
      text('mimeType', 'File Type', 'MIME type of the file; default: determined by its name'),
    ],
    where({ operation: ['toBinary'] }),
  ),
  options([addBom, encoding, fileName], where({ operation: ['toText'] })),
  options(
    [addBom, toggle('format', 'Format', 'Whether to format the JSON with indented lines'), encoding, fileName],
    where({ operation: ['toJson'] }),
  ),
];
