import type { NodeProperty } from '@sluice/node-sdk';
import { atLeast, choice, choices, number, text, toggle, when, where } from '../../shared/properties.ts';
import { hashNames } from './digests.ts';
import { cipherNames } from './passphrase-cipher.ts';

const hashes = hashNames.map((value) => ({ value, name: value }));
const ciphers = cipherNames.map((value) => ({ value, name: value.toUpperCase() }));
const digests = ['hash', 'hmac'];
const encryption = ['encrypt', 'decrypt'];

const type = (version: number, fallback: string): NodeProperty =>
  choice('type', 'Type', hashes, { default: fallback, ...when([version], { action: digests }) });

const secret = (name: string, displayName: string, action: string): NodeProperty =>
  text(name, displayName, 'Stored in the workflow in plain text; version 2 uses a credential', {
    required: true,
    typeOptions: { password: true },
    ...when([1], { action: [action] }),
  });

const actions: [string, string, string?][] = [
  ['generate', 'Generate', 'A random text'],
  ['hash', 'Hash'],
  ['hmac', 'Hmac', 'A hash with a secret'],
  ['sign', 'Sign', 'A signature with a private key'],
];

export const cryptoProperties: readonly NodeProperty[] = [
  choice('action', 'Action', choices(...actions), { default: 'hash', ...when([1]) }),
  choice(
    'action',
    'Action',
    choices(...actions, ['encrypt', 'Encrypt', 'Gives base64'], ['decrypt', 'Decrypt', 'Result of the action Encrypt']),
    { default: 'hash', ...when([2]) },
  ),
  toggle('binaryData', 'Binary File', 'Whether to use a file of the item instead of a string', where({ action: digests })),
  text('binaryPropertyName', 'Binary Property', 'Property of the item with the file', {
    default: 'data',
    required: true,
    ...where({ action: digests, binaryData: [true] }),
  }),
  type(1, 'MD5'),
  type(2, 'SHA256'),
  choice(
    'mode',
    'Mode',
    choices(
      ['symmetric', 'Symmetric', 'With the credential’s passphrase'],
      ['asymmetric', 'Asymmetric', 'With the credential’s RSA keys, using OAEP with SHA-256; for short values'],
    ),
    when([2], { action: encryption }),
  ),
  choice('cipher', 'Cipher', ciphers, {
    description: 'With a key that scrypt derives from the passphrase; decryption requires the same cipher',
    ...when([2], { action: encryption, mode: ['symmetric'] }),
  }),
  text('value', 'Value', 'The text to hash', where({ action: digests, binaryData: [false] })),
  text('value', 'Value', 'The text to sign', where({ action: ['sign'] })),
  text('value', 'Value', 'The text to encrypt, or the result of the action Encrypt', when([2], { action: encryption })),
  secret('secret', 'Secret', 'hmac'),
  text('algorithm', 'Algorithm Name', 'Signature algorithm, such as RSA-SHA256', {
    required: true,
    displayOptions: { show: { action: ['sign'] } },
  }),
  secret('privateKey', 'Private Key', 'sign'),
  choice('encoding', 'Encoding', choices(['base64', 'BASE64'], ['hex', 'HEX']), {
    default: 'hex',
    displayOptions: { show: { action: [...digests, 'sign'] } },
  }),
  choice(
    'encodingType',
    'Type',
    choices(['ascii', 'ASCII', 'Letters and digits'], ['base64', 'BASE64'], ['hex', 'HEX'], ['uuid', 'UUID']),
    {
      default: 'uuid',
      displayOptions: { show: { action: ['generate'] } },
    },
  ),
  atLeast(
    0,
    number('stringLength', 'Length', 32, 'Number of characters', {
      displayOptions: { show: { action: ['generate'], encodingType: ['ascii', 'base64', 'hex'] } },
    }),
  ),
  text('dataPropertyName', 'Property Name', 'Field for the result; dots separate nested fields', { default: 'data' }),
];
