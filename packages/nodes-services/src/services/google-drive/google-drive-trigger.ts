import { type JsonObject, type NodeType, type PollContext, pollTimesProperty } from '@sluice/node-sdk';
import { choice, choices, options, text, where } from '@sluice/nodes-base/node-tools';
import { googleAccount } from '../../shared/google-account.ts';
import { googleClient } from '../../shared/google-client.ts';
import { driveAddress, driveUrl, filePath, folderType, fromAllDrives, inAllDrives, quoted } from '../../shared/google-drive.ts';
import { objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { ServiceNode } from '../../shared/service-item.ts';
import { driveMethods } from './drive-methods.ts';
import { folderChanges } from './folder-changes.ts';

const client = googleClient('Google Drive', driveUrl, 'googleDriveOAuth2Api');

const file = { triggerOn: ['specificFile'] };
const folder = { triggerOn: ['specificFolder'] };
const { credentials, leading } = googleAccount('googleDriveOAuth2Api', { version: [1] });

/** Google types that include several media types. */
const groups: ReadonlyMap<string, RegExp> = new Map([
  ['all', /^/],
  ['application/vnd.google-apps.audio', /^audio\//],
  ['application/vnd.google-apps.file', /^(?!application\/vnd\.google-apps\.)/],
  ['application/vnd.google-apps.photo', /^image\//],
  ['application/vnd.google-apps.video', /^video\//],
]);

/** Starts with files that changed since the last poll. */
export const googleDriveTrigger: NodeType = {
  methods: driveMethods(client),
  description: {
    displayName: 'Google Drive Trigger',
    name: 'google-drive-trigger',
    group: ['trigger'],
    version: 1,
    description:
      'Starts the workflow when files or folders of Google Drive are created or changed, with one item for each. Those of the first poll count as known. A manual run outputs the latest one',
    defaults: { name: 'Google Drive Trigger' },
    inputs: [],
    outputs: ['main'],
    polling: true,
    icon: 'fa:hdd',
    iconColor: 'blue',
    credentials,
    properties: [
      ...leading,
      pollTimesProperty,
      choice(
        'triggerOn',
        'Trigger On',
        choices(['specificFile', 'Changes to a Specific File'], ['specificFolder', 'Changes Involving a Specific Folder']),
        { required: true },
      ),
      text('fileToWatch', 'File', 'The file: from the list, by ID, or by URL', {
        required: true,
        typeOptions: { searchListMethod: 'fileSearch' },
        ...where(file),
      }),
      choice('event', 'Watch For', choices(['fileUpdated', 'File Updated']), where(file)),
      text('folderToWatch', 'Folder', 'The folder: from the list, by ID, or by URL. Folders in it are not watched', {
        required: true,
        typeOptions: { searchListMethod: 'folderSearch' },
        ...where(folder),
      }),
      choice(
        'event',
        'Watch For',
        choices(
          ['fileCreated', 'File Created', 'A file is created in the folder, or comes into it'],
          ['fileUpdated', 'File Updated', 'A file in the folder changes'],
          ['folderCreated', 'Folder Created', 'A folder is created in the folder, or comes into it'],
          ['folderUpdated', 'Folder Updated', 'A folder in the folder changes'],
          ['watchFolderUpdated', 'Watch Folder Updated', 'The folder itself changes'],
        ),
        where(folder),
      ),
      options([
        text('fileType', 'File Type', 'Media type of files, such as `application/pdf`; default: `all`', { default: 'all' }),
      ]),
    ],
  },
  async poll(context) {
    const node = new ServiceNode(context, 0, client);
    const isOne = node.text('triggerOn', 'specificFile') === 'specificFile' || eventOf(node) === 'watchFolderUpdated';
    const files = isOne ? await changedFile(node) : await changedFiles(node);
    return files.length > 0 ? files.map((json) => ({ json })) : null;
  },
};

const eventOf = (node: ServiceNode): string => node.text('event', 'fileUpdated');

/** The watched file or folder, if it changed since the last poll. */
async function changedFile(node: ServiceNode<PollContext>): Promise<JsonObject[]> {
  const isFile = node.text('triggerOn', 'specificFile') === 'specificFile';
  const id = node.id(isFile ? 'fileToWatch' : 'folderToWatch', driveAddress);
  const current = await wholeFile(node, id);
  if (node.context.mode === 'manual') return [current];
  const modifiedTime = textOf(current['modifiedTime']);
  node.context.saveCursor({ modifiedTime });
  const before = node.context.cursor?.['modifiedTime'];
  return before === undefined || before === modifiedTime ? [] : [current];
}

async function wholeFile(node: ServiceNode, id: string): Promise<JsonObject> {
  return objectOf(await node.send({ path: filePath(id), query: { fields: '*', ...inAllDrives } }));
}

/** Files that are fetched concurrently. */
const maxConcurrentReads = 10;

async function changedFiles(node: ServiceNode<PollContext>): Promise<JsonObject[]> {
  if (node.context.mode === 'manual') return latest(node);
  const event = eventOf(node);
  const changes = await folderChanges(node);
  const wanted = changes.filter(({ file, kind }) => event.endsWith(kind) && isOfEvent(node, event, textOf(file['mimeType'])));
  const files: JsonObject[] = [];
  for (let start = 0; start < wanted.length; start += maxConcurrentReads) {
    const reads = wanted.slice(start, start + maxConcurrentReads).map(({ file }) => present(node, textOf(file['id'])));
    for (const one of await Promise.all(reads)) if (one) files.push(one);
  }
  return files;
}

/** A file with all its fields; `undefined` if it has been deleted since its change. */
async function present(node: ServiceNode, id: string): Promise<JsonObject | undefined> {
  const request = { path: filePath(id), query: { fields: '*', ...inAllDrives }, accepts: [404] };
  const { status, body } = await client.exchange(node.access, request);
  return status === 404 ? undefined : objectOf(body);
}

function isOfEvent(node: ServiceNode, event: string, mimeType: string): boolean {
  if (event.startsWith('folder')) return mimeType === folderType;
  const wanted = node.text('options.fileType', 'all');
  const isOfType = groups.get(wanted)?.test(mimeType) ?? wanted === mimeType;
  return mimeType !== folderType && isOfType;
}

/** The latest file for the event, among the latest hundred. */
async function latest(node: ServiceNode): Promise<JsonObject[]> {
  const event = eventOf(node);
  const query = {
    q: `${quoted(node.id('folderToWatch', driveAddress))} in parents and trashed = false`,
    fields: 'files',
    orderBy: event.endsWith('Created') ? 'createdTime desc' : 'modifiedTime desc',
    pageSize: '100',
    ...fromAllDrives,
  };
  const { files } = objectOf(await node.send({ path: `${driveUrl}/files`, query }));
  return objectsOf(files)
    .filter(({ mimeType }) => isOfEvent(node, event, textOf(mimeType)))
    .slice(0, 1);
}
