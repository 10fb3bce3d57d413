import { options, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { driveAddress, driveUrl, folderType, inAllDrives } from '../../shared/google-drive.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { chosen, deleteFile, fileOf, firstVersions, newFileFields, newVersion, parentsOf } from './google-drive-client.ts';
import {
  before3,
  fields,
  fileId,
  folderNoRootId,
  parents,
  permissions,
  shareOptions,
  simplifyOutput,
  since3,
  target,
} from './google-drive-properties.ts';
import { share } from './permission.ts';

const folderOf = (item: ServiceItem): string => (item.version < 3 ? fileOf(item) : item.id('folderNoRootId', driveAddress));
const anyFolder = [since3(folderNoRootId), before3(fileId)];

export const folder: Resource = {
  displayName: 'Folder',
  initial: 'create',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a folder',
      properties: [
        text('name', 'Folder Name', 'Name of the folder'),
        ...target.map(since3),
        parents,
        options([text('folderColorRgb', 'Folder Color', 'Color, such as `#ff0000`'), since3(simplifyOutput), before3(fields)]),
      ],
      run: (item) =>
        item.send({
          path: `${driveUrl}/files`,
          query: { fields: newFileFields(item), ...inAllDrives },
          json: {
            name: item.text('name') || 'Untitled',
            mimeType: folderType,
            ...parentsOf(item),
            ...chosen(item, 'options', ['folderColorRgb']),
          },
        }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a folder and all files in it permanently',
      versions: firstVersions,
      properties: [fileId],
      run: (item) => deleteFile(item, fileOf(item), true),
    },
    deleteFolder: {
      displayName: 'Delete',
      description: 'Moves a folder with all files in it to the trash, or deletes them permanently',
      versions: newVersion,
      properties: [
        folderNoRootId,
        options([toggle('deletePermanently', 'Delete Permanently', 'Whether to delete it instead of moving it to the trash')]),
      ],
      run: (item) => deleteFile(item, folderOf(item), item.toggle('options.deletePermanently')),
    },
    share: {
      displayName: 'Share',
      description: 'Adds a permission to a folder and all files in it',
      properties: [...anyFolder, permissions, options(shareOptions)],
      run: (item) => share(item, folderOf(item)),
    },
  },
};
