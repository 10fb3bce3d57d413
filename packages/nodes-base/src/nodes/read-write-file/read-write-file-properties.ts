import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, options, text, toggle, where } from '../../shared/properties.ts';

const reading = where({ operation: ['read'] });
const writing = where({ operation: ['write'] });

export const readWriteFileProperties: readonly NodeProperty[] = [
  choice(
    'operation',
    'Operation',
    choices(
      ['read', 'Read File(s) From Disk', 'an item for each file'],
      ['write', 'Write File to Disk', 'the file of each item'],
    ),
  ),
  text(
    'fileSelector',
    'File(s) Selector',
    'A path, or a pattern with `*`, `**`, `?` and `{a,b}`; a backslash takes the meaning from the character after it',
    { required: true, ...reading },
  ),
  text('fileName', 'File Path and Name', 'The path of the file; its folder must exist', { required: true, ...writing }),
  text('dataPropertyName', 'Input Binary Field', 'Property of the item with the file', {
    default: 'data',
    required: true,
    ...writing,
  }),
  options(
    [
      text('fileExtension', 'File Extension', 'In place of that of the file'),
      text('fileName', 'File Name', 'In place of that of the file'),
      text('mimeType', 'MIME Type', 'Overrides the type that the name implies'),
      text('dataPropertyName', 'Put Output File in Field', 'Property of the item for the file', { default: 'data' }),
      toggle(
        'literalBrackets',
        'Literal Brackets',
        'Whether brackets in the selector are brackets, rather than a choice of characters',
        { default: true },
      ),
    ],
    reading,
  ),
  options([toggle('append', 'Append', 'Whether the content is added to the file that is there')], writing),
];
