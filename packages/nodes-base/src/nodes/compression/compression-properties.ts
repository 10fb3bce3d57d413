import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, names, text, when, where } from '../../shared/properties.ts';

const formats = choices(['gzip', 'Gzip', 'one file'], ['zip', 'Zip', 'an archive of any number of files']);
const compressing = { operation: ['compress'] };

export const compressionProperties: readonly NodeProperty[] = [
  choice('operation', 'Operation', choices(['compress', 'Compress'], ['decompress', 'Decompress']), { default: 'decompress' }),
  names(
    'binaryPropertyName',
    'Input Binary Field(s)',
    'Properties of the item with the files; several are separated by commas',
    {
      default: 'data',
      required: true,
    },
  ),
  choice('outputFormat', 'Output Format', formats, { default: '', ...when([1], compressing) }),
  choice('outputFormat', 'Output Format', formats, { default: 'zip', ...when([1.1], compressing) }),
  text('fileName', 'File Name', 'Archive name with its extension', {
    required: true,
    ...where({ ...compressing, outputFormat: ['zip'] }),
  }),
  text('fileName', 'File Name', 'File name; default: the input file’s name with `.gz`', {
    ...when([1.1], { ...compressing, outputFormat: ['gzip'] }),
  }),
  text('binaryPropertyOutput', 'Put Output File in Field', 'Property of the item for the file', {
    default: 'data',
    ...where({ ...compressing, outputFormat: ['zip'] }),
  }),
  text('binaryPropertyOutput', 'Put Output File in Field', 'Property of the item for the file', {
    default: 'data',
    ...when([1.1], { ...compressing, outputFormat: ['gzip'] }),
  }),
  text('outputPrefix', 'Output Prefix', 'Properties for the files: this prefix and a number from 0, `data0`', {
    default: 'data',
    ...when([1], { ...compressing, outputFormat: ['gzip'] }),
  }),
  text('outputPrefix', 'Output Prefix', 'Properties for the files: this prefix and a number from 0, `file_0`', {
    default: 'file_',
    ...where({ operation: ['decompress'] }),
  }),
];
