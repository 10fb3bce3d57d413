import { credentialText, type JsonObject, type NodeType, optionalCredentialText, type UnsupportedUse } from '@sluice/node-sdk';
import { choiceParameter, refuseUnsupported } from '../../shared/parameters.ts';
import { choice, choices, when } from '../../shared/properties.ts';
import { runS3 } from '../s3/run-s3.ts';
import { unsupportedUses } from '../s3/s3-operations.ts';
import { s3Properties } from '../s3/s3-properties.ts';

const assumedRoles: UnsupportedUse = {
  parameter: 'authentication',
  values: ['assumeRole'],
  what: 'the authentication "assumeRole"',
  hint: 'Use a credential of type AWS',
};

/** Manages files in Amazon S3. */
export const awsS3: NodeType = {
  description: {
    displayName: 'AWS S3',
    name: 'aws-s3',
    group: ['output'],
    version: [1, 2],
    description: 'Uploads, downloads, and manages files in Amazon S3',
    defaults: { name: 'AWS S3' },
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: 'aws', required: true }],
    properties: [
      choice(
        'authentication',
        'Authentication',
        choices(['iam', 'AWS'], ['assumeRole', 'Assume Role', 'Not supported yet']),
        when([2]),
      ),
      ...s3Properties,
    ],
    icon: 'fa:box-archive',
    iconColor: 'orange',
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
  },
  unsupported: [assumedRoles, ...unsupportedUses],
  async execute(context) {
    refuseUnsupported(context, [assumedRoles], 0);
    choiceParameter(context, 'authentication', 0, ['iam'], 'iam');
    return runS3(context, 'aws', placeOf);
  },
};

function placeOf(data: JsonObject) {
  const region = credentialText(data, 'region').trim();
  const custom =
    data['customEndpoints'] === true ? optionalCredentialText(data, 's3Endpoint').trim().replaceAll('{region}', region) : '';
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  // Requests are signed only for the custom host itself, not for its subdomains.
  return custom === ''
    ? { endpoint: `https://s3.${region}.${domain}`, inPath: false, region }
    : { endpoint: custom, inPath: true, region };
}
