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
    'A path, or a pattern with `*`, `**`, `?` and `{a,b}`; a backslash escapes the next character',
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
      text('fileExtension', 'File Extension', 'Replaces the file’s own'),
      text('fileName', 'File Name', 'Replaces the file’s own'),
      text('mimeType', 'MIME Type', 'Overrides the type that the name implies'),
      text('dataPropertyName', 'Put Output File in Field', 'Property of the item for the file', { default: 'data' }),
      toggle('literalBrackets', 'Literal Brackets', 'Whether brackets in the selector are literal instead of a character set', {
        default: true,
      }),
    ],
    reading,
  ),
  options([toggle('append', 'Append', 'Whether to append the content to an existing file')], writing),
];
