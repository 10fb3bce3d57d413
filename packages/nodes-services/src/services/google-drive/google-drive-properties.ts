import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, list, names, text, toggle, when, where } from '@sluice/nodes-base/node-tools';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { firstVersions, newVersion } from './google-drive-client.ts';

/** A property that only version 3 has, or only earlier versions. */
export const since3 = (property: NodeProperty): NodeProperty => restricted(property, newVersion);
export const before3 = (property: NodeProperty): NodeProperty => restricted(property, firstVersions);

function restricted(property: NodeProperty, versions: readonly number[]): NodeProperty {
  return { ...property, ...when(versions, { ...property.displayOptions?.show }) };
}

const located = (name: string, displayName: string, method: string, more: Partial<NodeProperty> = {}): NodeProperty =>
  text(name, displayName, `${displayName}: from the list, by ID, or by URL`, {
    typeOptions: { searchListMethod: method },
    ...more,
  });

export const fileId = located('fileId', 'File', 'fileSearch', { required: true });
export const sharedDrive = located('driveId', 'Shared Drive', 'driveSearch', { required: true });
export const folderNoRootId = located('folderNoRootId', 'Folder', 'folderSearch', { required: true });

/** Destination of a file. */
export const target: readonly NodeProperty[] = [
  located('driveId', 'Parent Drive', 'driveSearch', { default: { __rl: true, mode: 'list', value: 'My Drive' } }),
  located('folderId', 'Parent Folder', 'folderSearch', { default: { __rl: true, mode: 'list', value: 'root' } }),
];

/** Scope of a search. */
export const place: readonly NodeProperty[] = [
  located('driveId', 'Drive', 'driveSearch', {
    description: 'The drive: from the list, by ID, or by URL; `My Drive`, `sharedWithMe`, or, as the default, all',
  }),
  located('folderId', 'Folder', 'folderSearch'),
];

export const parents = before3(names('parents', 'Parents', 'IDs of the folders; default: the root of My Drive'));

const pairs = (name: string, displayName: string, group: string, description: string): NodeProperty => ({
  ...list(name, displayName, group, [text('key', 'Key', 'Name of the property'), text('value', 'Value', 'Its value')]),
  description,
});

/** Metadata of a file to write. */
export const fileOptions: readonly NodeProperty[] = [
  pairs('appPropertiesUi', 'App Properties', 'appPropertyValues', 'Seen by the app of the credential only'),
  pairs('propertiesUi', 'Properties', 'propertyValues', 'Seen by all apps'),
  toggle('keepRevisionForever', 'Keep Revision Forever', 'Whether this content stays among the revisions; at most 200 do'),
  text('ocrLanguage', 'OCR Language', 'Language of text in an image, such as `en`, for its conversion'),
  toggle('useContentAsIndexableText', 'Use Content as Indexable Text', 'Whether the content can be searched'),
];

export const simplifyOutput = toggle('simplifyOutput', 'Simplify Output', 'Whether to return the main fields only', {
  default: true,
});

export const fields = names('fields', 'Fields', 'Names of the fields to return, such as `webViewLink`; `*` for all');

const user = { type: ['user', 'group'] };
const roles = choices(
  ['reader', 'Reader'],
  ['commenter', 'Commenter'],
  ['writer', 'Writer'],
  ['fileOrganizer', 'File Organizer'],
  ['organizer', 'Organizer'],
  ['owner', 'Owner'],
);

export const permissions = {
  ...list('permissionsUi', 'Permissions', 'permissionsValues', [
    choice('role', 'Role', roles),
    choice('type', 'Type', choices(['user', 'User'], ['group', 'Group'], ['domain', 'Domain'], ['anyone', 'Anyone'])),
    text('emailAddress', 'Email Address', 'Address of the user or group', where(user)),
    text('domain', 'Domain', 'Domain whose users get access', where({ type: ['domain'] })),
    toggle(
      'allowFileDiscovery',
      'Allow File Discovery',
      'Whether searches find the file; otherwise its link is needed',
      where({ type: ['domain', 'anyone'] }),
    ),
  ]),
  typeOptions: { multipleValues: false },
};

export const domainAdmin = toggle(
  'useDomainAdminAccess',
  'Use Domain Admin Access',
  'Whether to act as an administrator of the domain',
);

export const shareOptions: readonly NodeProperty[] = [
  text('emailMessage', 'Email Message', 'Message in the notification'),
  toggle('moveToNewOwnersRoot', "Move to New Owner's Root", 'Whether a file with a new owner moves to the root of their drive'),
  toggle('sendNotificationEmail', 'Send Notification Email', 'Whether users and groups get an email; default: yes'),
  toggle('transferOwnership', 'Transfer Ownership', 'Whether to make the user the owner; needed for the role `owner`'),
  domainAdmin,
];

export const listProperties = listPropertiesOf();
