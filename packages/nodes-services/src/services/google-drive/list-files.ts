import type { JsonObject } from '@sluice/node-sdk';
import {
  atLeast,
  choice,
  choices,
  names,
  namesParameter,
  number,
  options,
  text,
  toggle,
  where,
} from '@sluice/nodes-base/node-tools';
import type { Operation } from '../../shared/define-service.ts';
import { driveUrl, fromAllDrives, quoted } from '../../shared/google-drive.ts';
import { asText, textOf } from '../../shared/json-values.ts';
import { cursorPaging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { fieldsOf, firstVersions } from './google-drive-client.ts';
import { fields } from './google-drive-properties.ts';

const isFiltered = { useQueryString: [false] };
const maxPage = 1_000;

/** Files that match a query, page by page. */
export function foundFiles(item: ServiceItem, query: Record<string, string>, limit: number): Promise<JsonObject[]> {
  const fields = fieldsOf(item, 'id,name');
  const listQuery = {
    ...query,
    fields: fields === '*' ? '*' : `nextPageToken,files(${fields})`,
    pageSize: asText(Math.min(limit, maxPage)),
  };
  return item.list({ path: `${driveUrl}/files`, query: listQuery }, cursorPaging('files', 'nextPageToken', 'pageToken'), limit);
}

/** The list in versions 1 and 2. */
export const listFiles: Operation = {
  displayName: 'List',
  description: 'Lists files and folders',
  versions: firstVersions,
  properties: [
    toggle('useQueryString', 'Use Query String', 'Whether to write a query instead of filters'),
    text('queryString', 'Query String', 'As in the Drive API, such as `name contains "a"`', where({ useQueryString: [true] })),
    atLeast(1, number('limit', 'Limit', 50, 'Most results')),
    {
      displayName: 'Filters',
      name: 'queryFilters',
      type: 'fixedCollection',
      default: {},
      typeOptions: { multipleValues: true },
      description: 'Matches any of several names, and any of several types',
      options: [
        {
          name: 'name',
          displayName: 'Name',
          values: [
            choice('operation', 'Operation', choices(['contains', 'Contains'], ['is', 'Is'], ['isNot', 'Is Not'])),
            text('value', 'Value', 'Text to compare'),
          ],
        },
        {
          name: 'mimeType',
          displayName: 'MIME Type',
          values: [
            text('mimeType', 'MIME Type', 'Type of the file, or `custom`', { default: 'application/vnd.google-apps.file' }),
            text('customMimeType', 'Custom MIME Type', 'The type', where({ mimeType: ['custom'] })),
          ],
        },
      ],
      ...where(isFiltered),
    },
    options([
      choice(
        'corpora',
        'Corpora',
        choices(['user', 'User'], ['domain', 'Domain'], ['drive', 'Drive'], ['allDrives', 'User and All Drives']),
        { description: 'Where to search' },
      ),
      text('driveId', 'Drive ID', 'ID of a shared drive'),
      fields,
      toggle('includeItemsFromAllDrives', 'Include Items From All Drives', 'Has no effect: they are included'),
      names('spaces', 'Spaces', '`drive` or `appDataFolder`; default: `drive`'),
    ]),
  ],
  run: (item) => {
    const driveId = item.text('options.driveId');
    const query = {
      q: item.toggle('useQueryString') ? item.text('queryString') : filterQuery(item),
      corpora: item.text('options.corpora') || (driveId === '' ? '' : 'drive'),
      driveId,
      spaces: namesParameter(item.context, 'options.spaces', item.index).join(','),
      ...fromAllDrives,
    };
    return foundFiles(item, query, item.number('limit', 50));
  },
};

function filterQuery(item: ServiceItem): string {
  const byName = item.entries('queryFilters.name').map(nameTerm);
  const byType = item
    .entries('queryFilters.mimeType')
    .map(({ mimeType, customMimeType }) => textOf(mimeType === 'custom' ? customMimeType : mimeType))
    .filter((type) => type !== '')
    .map((type) => `mimeType = ${quoted(type)}`);
  return [byName, byType]
    .filter((terms) => terms.length > 0)
    .map((terms) => `(${terms.join(' or ')})`)
    .join(' and ');
}

const operators: ReadonlyMap<string, string> = new Map([
  ['contains', 'contains'],
  ['is', '='],
  ['isNot', '!='],
]);

function nameTerm({ operation = 'contains', value = '' }: JsonObject): string {
  return `name ${operators.get(asText(operation)) ?? 'contains'} ${quoted(asText(value))}`;
}
