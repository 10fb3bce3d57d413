import { defineCredentialType, optionalCredentialText, type TestCredential } from '@sluice/node-sdk';
import { privateKeyOf } from '../shared/pem.ts';
import { oaepDecrypted, oaepEncrypted, rsaPrivateKey, rsaPublicKey } from '../shared/rsa-oaep.ts';
import { secret, secretBlock, text } from './shared/properties.ts';
import { succeeded } from './shared/service-test.ts';

const properties = [
  secret('hmacSecret', 'Hmac Secret', { description: 'For the action Hmac' }),
  secretBlock('signPrivateKey', 'Private Key', { description: 'PEM; for the action Sign' }),
  secret('encryptionPassphrase', 'Encryption Passphrase', {
    description: 'Encrypts and decrypts in symmetric mode; 16 random characters or more',
  }),
  text('encryptionPublicKey', 'Encryption Public Key', { description: 'PEM, of RSA; encrypts in asymmetric mode' }),
  secretBlock('encryptionPrivateKey', 'Encryption Private Key', {
    description: 'PEM, of RSA; decrypts in asymmetric mode',
  }),
];

/** There is no service to ask: the keys are read, and those that belong together are tried on each other. */
const test: TestCredential = async (data) => {
  const given = new Set(properties.map(({ name }) => name).filter((name) => optionalCredentialText(data, name) !== ''));
  if (given.size === 0) return { status: 'Error', message: 'the credential has no secret at all: fill in what the node needs' };
  if (given.has('signPrivateKey')) privateKeyOf(data, 'signPrivateKey');
  const publicKey = given.has('encryptionPublicKey') && rsaPublicKey(data, 'encryptionPublicKey');
  const privateKey = given.has('encryptionPrivateKey') && rsaPrivateKey(data, 'encryptionPrivateKey');
  if (publicKey && privateKey && !isDecrypted(() => oaepDecrypted(privateKey, oaepEncrypted(publicKey, probe)))) {
    return { status: 'Error', message: 'the private key does not decrypt what the public key encrypts' };
  }
  return succeeded('the secrets can be used; there is no service to try them on');
};

const probe = Buffer.from('probe');

function isDecrypted(decrypt: () => Buffer): boolean {
  try {
    return decrypt().equals(probe);
  } catch {
    return false;
  }
}

/** The secrets of the Crypto node; an action needs its own alone. */
export const crypto = defineCredentialType({
  name: 'crypto',
  displayName: 'Crypto',
  documentation: 'https://nodejs.org/api/crypto.html',
  properties,
  test,
});
