import type { NodeMethods } from '@sluice/node-sdk';
import type { ApiClient } from '../../shared/api-client.ts';
import { folderType, quoted, searchDrives, searchFiles } from '../../shared/google-drive.ts';

/** Lists of files, folders, and shared drives for editors. */
export const driveMethods = (client: ApiClient): NodeMethods => ({
  listSearch: {
    fileSearch: (context, filter, paginationToken) =>
      searchFiles(client, context, `mimeType != ${quoted(folderType)}`, { filter, paginationToken }),
    folderSearch: (context, filter, paginationToken) =>
      searchFiles(client, context, `mimeType = ${quoted(folderType)}`, { filter, paginationToken }),
    driveSearch: (context, filter, paginationToken) => searchDrives(client, context, { filter, paginationToken }),
  },
});
