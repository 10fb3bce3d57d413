import { credentialText, type NodeType, optionalCredentialText } from '@sluice/node-sdk';
import { runS3 } from './run-s3.ts';
import { unsupportedUses } from './s3-operations.ts';
import { s3Properties } from './s3-properties.ts';

/** Manages files in any S3-compatible service. */
export const s3: NodeType = {
  description: {
    displayName: 'S3',
    name: 's3',
    group: ['output'],
    version: 1,
    description: 'Uploads, downloads, and manages files in an S3-compatible service',
    defaults: { name: 'S3' },
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: 's3', required: true }],
    properties: s3Properties,
    icon: 'fa:box-archive',
    iconColor: 'red',
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
  },
  unsupported: unsupportedUses,
  execute: (context) =>
    runS3(context, 's3', (data) => ({
      endpoint: credentialText(data, 'endpoint').trim(),
      inPath: data['forcePathStyle'] === true,
      region: optionalCredentialText(data, 'region', 'us-east-1').trim(),
    })),
};
