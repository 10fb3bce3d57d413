import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, options, text, where } from '../../shared/properties.ts';

const command = { resource: ['command'] };
const file = { resource: ['file'] };

export const sshProperties: readonly NodeProperty[] = [
  choice('authentication', 'Authentication', choices(['password', 'Password'], ['privateKey', 'Private Key'])),
  choice('resource', 'Resource', choices(['command', 'Command'], ['file', 'File'])),
  choice('operation', 'Operation', choices(['execute', 'Execute', 'Runs a command']), where(command)),
  text('command', 'Command', 'What the shell of the other machine runs', { required: true, ...where(command) }),
  text('cwd', 'Working Directory', 'The folder that it runs in', { default: '/', ...where(command) }),
  choice('operation', 'Operation', choices(['download', 'Download'], ['upload', 'Upload']), {
    default: 'upload',
    ...where(file),
  }),
  text('binaryPropertyName', 'Binary Property', 'Where the item has the file', { default: 'data', ...where(file) }),
  text('path', 'Path', 'The folder to upload to, or the file to download', { required: true, ...where(file) }),
  options([text('fileName', 'File Name', 'What the file is to be called; empty: as it was')], where(file)),
];
