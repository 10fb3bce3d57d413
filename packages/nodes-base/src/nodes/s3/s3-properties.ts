import type { NodeProperty } from '@sluice/node-sdk';
import { atLeast, choice, choices, collection, list, number, options, text, toggle, where } from '../../shared/properties.ts';

const on = (resource: string, ...operation: string[]) => where({ resource: [resource], operation });

const acl = text('acl', 'ACL', 'Access: `private`, `publicRead`, `publicReadWrite`, `authenticatedRead`');
const requesterPays = toggle('requesterPays', 'Requester Pays', 'Whether the requester pays');
const storageClass = text('storageClass', 'Storage Class', '`standard`, `standardIA`, `glacier`, …');

const storing: readonly NodeProperty[] = [
  acl,
  toggle('lockLegalHold', 'Lock Legal Hold', 'Whether the file is protected against deletion'),
  choice('lockMode', 'Lock Mode', choices(['governance', 'Governance'], ['compliance', 'Compliance'])),
  text('lockRetainUntilDate', 'Lock Retain Until Date', 'Until when it is locked, in ISO 8601'),
  requesterPays,
  choice('serverSideEncryption', 'Server Side Encryption', choices(['AES256', 'AES256'], ['aws:kms', 'AWS KMS'])),
  text('serverSideEncryptionContext', 'Server Side Encryption Context', 'Base64 of JSON'),
  text('encryptionAwsKmsKeyId', 'Encryption AWS KMS Key ID', 'Encryption key'),
  text('serversideEncryptionCustomerAlgorithm', 'Customer Algorithm', 'Algorithm of your own key'),
  text('serversideEncryptionCustomerKey', 'Customer Key', 'The key, in base64'),
  text('serversideEncryptionCustomerKeyMD5', 'Customer Key MD5', 'Its MD5, in base64'),
  storageClass,
];

const limits: readonly NodeProperty[] = [
  toggle('returnAll', 'Return All', 'Whether to return all', where({ operation: ['getAll', 'search'] })),
  atLeast(
    0,
    number('limit', 'Limit', 100, 'Maximum number to return', where({ operation: ['getAll', 'search'], returnAll: [false] })),
  ),
];

export const s3Properties: readonly NodeProperty[] = [
  choice('resource', 'Resource', choices(['bucket', 'Bucket'], ['file', 'File'], ['folder', 'Folder']), { default: 'file' }),
  choice(
    'operation',
    'Operation',
    choices(['create', 'Create'], ['delete', 'Delete'], ['getAll', 'Get Many'], ['search', 'Search', 'Contents of a bucket']),
    where({ resource: ['bucket'] }),
  ),
  choice(
    'operation',
    'Operation',
    choices(['copy', 'Copy'], ['delete', 'Delete'], ['download', 'Download'], ['getAll', 'Get Many'], ['upload', 'Upload']),
    { default: 'download', ...where({ resource: ['file'] }) },
  ),
  choice(
    'operation',
    'Operation',
    choices(['create', 'Create'], ['delete', 'Delete', 'Deletes it with its contents'], ['getAll', 'Get Many']),
    where({ resource: ['folder'] }),
  ),
  text('name', 'Name', 'The bucket', { required: true, ...on('bucket', 'create', 'delete') }),
  text('bucketName', 'Bucket Name', 'The bucket', { required: true, ...on('bucket', 'search') }),
  text('bucketName', 'Bucket Name', 'The bucket', { required: true, ...on('folder', 'create', 'delete', 'getAll') }),
  text('bucketName', 'Bucket Name', 'The bucket', { required: true, ...on('file', 'delete', 'download', 'getAll', 'upload') }),
  text('folderName', 'Folder Name', 'Name', { required: true, ...on('folder', 'create') }),
  text('folderKey', 'Folder Key', 'Full path', { required: true, ...on('folder', 'delete') }),
  text('fileKey', 'File Key', 'Full path', { required: true, ...on('file', 'delete', 'download') }),
  text('sourcePath', 'Source Path', '`/bucket/file`', { required: true, ...on('file', 'copy') }),
  text('destinationPath', 'Destination Path', '`/bucket/file`', { required: true, ...on('file', 'copy') }),
  text('fileName', 'File Name', 'Empty: the name of the item’s file', on('file', 'upload')),
  toggle('binaryData', 'Binary File', 'Whether to upload a file of the item instead of text', {
    default: true,
    ...on('file', 'upload'),
  }),
  text('fileContent', 'File Content', 'The text', where({ resource: ['file'], operation: ['upload'], binaryData: [false] })),
  text('binaryPropertyName', 'Binary Property', 'Property of the item with the file', {
    default: 'data',
    ...on('file', 'download', 'upload'),
  }),
  ...limits,
  collection(
    'additionalFields',
    'Additional Fields',
    [
      acl,
      toggle('bucketObjectLockEnabled', 'Object Lock', 'Whether to enable locks on files'),
      text('region', 'Region', 'Empty: the credential’s region'),
    ],
    on('bucket', 'create'),
  ),
  collection(
    'additionalFields',
    'Additional Fields',
    [
      text('delimiter', 'Delimiter', 'Separator of folders'),
      text('encodingType', 'Encoding Type', '`url`, or empty'),
      toggle('fetchOwner', 'Fetch Owner', 'Whether to include owners'),
      text('prefix', 'Prefix', 'Prefix of the keys'),
      requesterPays,
      text('startAfter', 'Start After', 'Key after which the list starts'),
    ],
    on('bucket', 'search'),
  ),
  collection(
    'additionalFields',
    'Additional Fields',
    [text('parentFolderKey', 'Parent Folder Key', 'Destination folder'), requesterPays, storageClass],
    on('folder', 'create'),
  ),
  collection(
    'additionalFields',
    'Additional Fields',
    [
      ...storing,
      choice('metadataDirective', 'Metadata Directive', choices(['copy', 'Copy'], ['replace', 'Replace'])),
      choice('taggingDirective', 'Tagging Directive', choices(['copy', 'Copy'], ['replace', 'Replace'])),
    ],
    on('file', 'copy'),
  ),
  collection(
    'additionalFields',
    'Additional Fields',
    [...storing, text('parentFolderKey', 'Parent Folder Key', 'Destination folder')],
    on('file', 'upload'),
  ),
  list(
    'tagsUi',
    'Tags',
    'tagsValues',
    [text('key', 'Key', 'Its name'), text('value', 'Value', 'Its value')],
    on('file', 'upload'),
  ),
  options([text('versionId', 'Version ID', 'Empty: the newest')], on('file', 'delete')),
  options(
    [toggle('fetchOwner', 'Fetch Owner', 'Whether to include owners'), text('folderKey', 'Folder Key', 'Prefix of the keys')],
    where({ resource: ['file', 'folder'], operation: ['getAll'] }),
  ),
];
