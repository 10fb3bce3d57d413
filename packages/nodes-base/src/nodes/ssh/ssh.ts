import { Readable } from 'node:stream';
import { type ExecuteContext, type Item, type NodeType, untilAborted } from '@sluice/node-sdk';
import { warnOfUnverifiedHost } from '../../clients/host-key-hint.ts';
import { openSsh } from '../../clients/ssh-client.ts';
import { baseName, binaryOf, folderOf, openBinary, storeBinary, withFile } from '../../shared/binary-files.ts';
import { choiceParameter, requiredText, textParameter } from '../../shared/parameters.ts';
import { where } from '../../shared/properties.ts';
import { mapWithClient } from '../../shared/with-client.ts';
import type { RemoteFiles } from '../ftp/remote-files.ts';
import { openSftpFiles } from '../ftp/sftp-files.ts';
import { runCommand } from './run-command.ts';
import { sshProperties } from './ssh-properties.ts';

/** Runs commands on a remote machine or transfers files, over one connection per run. */
export const ssh: NodeType = {
  description: {
    displayName: 'SSH',
    name: 'ssh',
    group: ['input'],
    version: 1,
    description: 'Runs commands and transfers files over SSH',
    defaults: { name: 'SSH' },
    inputs: ['main'],
    outputs: ['main'],
    credentials: [
      { name: 'sshPassword', ...where({ authentication: ['password'] }) },
      { name: 'sshPrivateKey', ...where({ authentication: ['privateKey'] }) },
    ],
    properties: sshProperties,
    icon: 'fa:terminal',
    iconColor: 'gray',
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
  },
  async execute(context) {
    const isFile = choiceParameter(context, 'resource', 0, ['command', 'file'], 'command') === 'file';
    return [await (isFile ? moveFiles(context) : runCommands(context))];
  },
};

function runCommands(context: ExecuteContext): Promise<Item[]> {
  return mapWithClient(context, {
    service: 'SSH',
    open: async () => openSsh(await credentialOf(context), context, context.signal),
    close: (client) => void client.destroy(),
    async step(client, _, itemIndex) {
      const command = requiredText(context, 'command', itemIndex);
      const folder = textParameter(context, 'cwd', itemIndex, '/');
      const result = await untilAborted(runCommand(client, command, folder), context.signal);
      return { json: { ...result }, pairedItem: { item: itemIndex } };
    },
  });
}

function moveFiles(context: ExecuteContext): Promise<Item[]> {
  const move = choiceParameter(context, 'operation', 0, ['upload', 'download'], 'upload') === 'upload' ? upload : download;
  return mapWithClient(context, {
    service: 'SSH',
    open: async () => openSftpFiles(await credentialOf(context), context, context.signal),
    close: (files) => files.close(),
    step: (files, item, itemIndex) => untilAborted(move(context, files, item, itemIndex), context.signal),
  });
}

/** `path` is the folder; the file name comes from the option, or is unchanged. */
async function upload(context: ExecuteContext, files: RemoteFiles, _: Item, itemIndex: number): Promise<Item> {
  const property = textParameter(context, 'binaryPropertyName', itemIndex, 'data') || 'data';
  const folder = requiredText(context, 'path', itemIndex);
  const name =
    textParameter(context, 'options.fileName', itemIndex) || binaryOf(context, itemIndex, property).fileName || property;
  const content = Readable.from(await openBinary(context, itemIndex, property));
  await files.upload(`${folder.replace(/\/$/, '')}/${baseName(name)}`, content);
  return { json: { success: true }, pairedItem: { item: itemIndex } };
}

async function download(context: ExecuteContext, files: RemoteFiles, item: Item, itemIndex: number): Promise<Item> {
  const property = textParameter(context, 'binaryPropertyName', itemIndex, 'data') || 'data';
  const path = requiredText(context, 'path', itemIndex);
  const fileName = textParameter(context, 'options.fileName', itemIndex) || baseName(path);
  const stored = await storeBinary(context, itemIndex, files.download(path), { fileName });
  const reference = { ...stored, ...folderOf(path) };
  return { ...item, binary: withFile(item.binary, property, reference), pairedItem: { item: itemIndex } };
}

async function credentialOf(context: ExecuteContext) {
  const way = choiceParameter(context, 'authentication', 0, ['password', 'privateKey'], 'password');
  const data = await context.credentials(way === 'password' ? 'sshPassword' : 'sshPrivateKey', 0);
  warnOfUnverifiedHost(context, data);
  return data;
}
