import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, options, text, where } from '../../shared/properties.ts';

const command = { resource: ['command'] };
const file = { resource: ['file'] };

export const sshProperties: readonly NodeProperty[] = [
  choice('authentication', 'Authentication', choices(['password', 'Password'], ['privateKey', 'Private Key'])),
  choice('resource', 'Resource', choices(['command', 'Command'], ['file', 'File'])),
  choice('operation', 'Operation', choices(['execute', 'Execute', 'Runs a command']), where(command)),
  text('command', 'Command', 'Command for the remote shell', { required: true, ...where(command) }),
  text('cwd', 'Working Directory', 'Working directory', { default: '/', ...where(command) }),
  choice('operation', 'Operation', choices(['download', 'Download'], ['upload', 'Upload']), {
    default: 'upload',
    ...where(file),
  }),
  text('binaryPropertyName', 'Binary Property', 'Property of the item with the file', { default: 'data', ...where(file) }),
  text('path', 'Path', 'The folder to upload to, or the file to download', { required: true, ...where(file) }),
  options([text('fileName', 'File Name', 'New name of the file; empty: unchanged')], where(file)),
];
