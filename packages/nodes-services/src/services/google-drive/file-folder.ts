import { choice, choices, collection, names, namesParameter, options, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { folderType, fromAllDrives, quoted } from '../../shared/google-drive.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { locatedOr, myDrive, newVersion, rootFolder, sharedWithMe } from './google-drive-client.ts';
import { fields, listProperties, place } from './google-drive-properties.ts';
import { foundFiles } from './list-files.ts';

export const fileFolder: Resource = {
  displayName: 'File/Folder',
  versions: newVersion,
  operations: {
    search: {
      displayName: 'Search',
      description: 'Finds files and folders',
      properties: [
        choice('searchMethod', 'Search Method', choices(['name', 'Search File/Folder Name'], ['query', 'Advanced Search'])),
        text('queryString', 'Search Query', 'A part of the name, or a query of the Drive API; empty: all'),
        ...listProperties,
        collection('filter', 'Filter', [
          ...place,
          choice(
            'whatToSearch',
            'What to Search',
            choices(['all', 'Files and Folders'], ['files', 'Files'], ['folders', 'Folders']),
          ),
          names('fileTypes', 'File Types', 'Media types of files, such as `application/vnd.google-apps.document`; `*` for all'),
          toggle('includeTrashed', 'Include Trashed Items', 'Whether to find items in the trash'),
        ]),
        options([fields]),
      ],
      run: (item) => {
        const drive = locatedOr(item, 'filter.driveId', '');
        return foundFiles(item, { q: searchQuery(item, drive), ...searched(drive) }, item.limit());
      },
    },
  },
};

/**
 * Where to search:
 * https://developers.google.com/workspace/drive/api/guides/enable-shareddrives#search
 */
function searched(drive: string): Record<string, string> {
  if (drive === myDrive || drive === sharedWithMe) return { corpora: 'user' };
  const isAll = drive === '' || /^all ?drives$/i.test(drive);
  return isAll ? { corpora: 'allDrives', ...fromAllDrives } : { corpora: 'drive', driveId: drive, ...fromAllDrives };
}

function searchQuery(item: ServiceItem, drive: string): string {
  const text = item.text('queryString').trim();
  const isQuery = item.text('searchMethod', 'name') === 'query';
  const folder = locatedOr(item, 'filter.folderId', '');
  const isDrive = drive !== '' && drive !== myDrive && drive !== sharedWithMe;
  const terms = [
    ...(text === '' ? [] : [isQuery ? `(${text})` : `name contains ${quoted(text)}`]),
    ...(folder === '' ? [] : [`${quoted(folder === rootFolder && isDrive ? drive : folder)} in parents`]),
    ...(drive === sharedWithMe ? ['sharedWithMe = true'] : []),
    ...typeTerms(item),
    ...(item.toggle('filter.includeTrashed') ? [] : ['trashed = false']),
  ];
  return terms.join(' and ');
}

function typeTerms(item: ServiceItem): string[] {
  const what = item.text('filter.whatToSearch', 'all');
  if (what === 'folders') return [`mimeType = ${quoted(folderType)}`];
  const types = namesParameter(item.context, 'filter.fileTypes', item.index);
  const isAny = types.length === 0 || types.includes('*');
  return [
    ...(what === 'files' ? [`mimeType != ${quoted(folderType)}`] : []),
    ...(isAny ? [] : [`(${types.map((type) => `mimeType = ${quoted(type)}`).join(' or ')})`]),
  ];
}
