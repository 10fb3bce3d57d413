import { randomUUID } from 'node:crypto';
import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { collection, options, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import { driveAddress, driveUrl } from '../../shared/google-drive.ts';
import { asText } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { cursorPaging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { chosen, firstVersions, newVersion } from './google-drive-client.ts';
import { domainAdmin, sharedDrive } from './google-drive-properties.ts';

const pathOf = (item: ServiceItem): string => `${driveUrl}/drives/${encodeURIComponent(item.id('driveId', driveAddress))}`;
const flags = (entries: readonly (readonly [name: string, displayName: string, what: string])[]): NodeProperty[] =>
  entries.map(([name, displayName, what]) => toggle(name, displayName, `Whether ${what}`));

/** Default of the parameter `limit`, and maximum size of a page. */
const defaultLimit = 100;

const restrictions = collection(
  'restrictions',
  'Restrictions',
  flags([
    ['adminManagedRestrictions', 'Admin Managed Restrictions', 'only administrators change the restrictions'],
    ['copyRequiresWriterPermission', 'Copy Requires Writer Permission', 'readers cannot copy, print, or download files'],
    ['domainUsersOnly', 'Domain Users Only', 'only users of the domain get access'],
    ['driveMembersOnly', 'Drive Members Only', 'only members of the drive get access'],
  ]),
);

/** Google derives them from the account's role. */
const capabilities = collection(
  'capabilities',
  'Capabilities',
  [
    'canAddChildren',
    'canChangeCopyRequiresWriterPermissionRestriction',
    'canChangeDomainUsersOnlyRestriction',
    'canChangeDriveBackground',
    'canChangeDriveMembersOnlyRestriction',
    'canComment',
    'canCopy',
    'canDeleteChildren',
    'canDeleteDrive',
    'canDownload',
    'canEdit',
    'canListChildren',
    'canManageMembers',
    'canReadRevisions',
    'canRename',
    'canRenameDrive',
    'canShare',
    'canTrashChildren',
  ].map((name) => toggle(name, name, 'Has no effect: Google derives it from the role of the account')),
);

const color = text('colorRgb', 'Color', 'Color of the drive, such as `#ff0000`');

const deleting = (versions: readonly number[]): Operation => ({
  displayName: 'Delete',
  description: 'Deletes a shared drive, which must be empty',
  versions,
  properties: [sharedDrive],
  async run(item): Promise<JsonObject> {
    return item.perform({ method: 'DELETE', path: pathOf(item) });
  },
});

export const drive: Resource = {
  displayName: 'Shared Drive',
  initial: 'create',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a shared drive',
      properties: [
        text('name', 'Name', 'Name of the drive', { required: true }),
        options([capabilities, color, toggle('hidden', 'Hidden', 'Whether it is hidden from the default view'), restrictions]),
      ],
      // Google creates one drive for each ID, even if the request is repeated.
      run: (item) =>
        item.send({
          path: `${driveUrl}/drives`,
          query: { requestId: randomUUID() },
          json: { name: item.required('name'), ...chosen(item, 'options', ['colorRgb', 'hidden', 'restrictions']) },
        }),
    },
    delete: deleting(firstVersions),
    deleteDrive: deleting(newVersion),
    get: {
      displayName: 'Get',
      description: 'Gets a shared drive',
      properties: [sharedDrive, options([domainAdmin])],
      run: (item) => item.send({ path: pathOf(item), query: chosen(item, 'options', ['useDomainAdminAccess']) }),
    },
    list: {
      displayName: 'Get Many',
      description: 'Lists the shared drives',
      properties: [...listPropertiesOf(defaultLimit), options([text('q', 'Query', 'Query of the Drive API'), domainAdmin])],
      run: (item) => {
        const limit = item.limit(defaultLimit);
        const query = {
          ...chosen(item, 'options', ['q', 'useDomainAdminAccess']),
          pageSize: asText(Math.min(limit, defaultLimit)),
        };
        return item.list({ path: `${driveUrl}/drives`, query }, cursorPaging('drives', 'nextPageToken', 'pageToken'), limit);
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes a shared drive',
      properties: [sharedDrive, options([color, text('name', 'Name', 'New name of the drive'), restrictions])],
      run: (item) =>
        item.send({ method: 'PATCH', path: pathOf(item), json: chosen(item, 'options', ['colorRgb', 'name', 'restrictions']) }),
    },
  },
};
