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
  text('encryptionPublicKey', 'Encryption Public Key', { description: 'RSA key in PEM; encrypts in asymmetric mode' }),
  secretBlock('encryptionPrivateKey', 'Encryption Private Key', {
    description: 'RSA key in PEM; decrypts in asymmetric mode',
  }),
];

/** There is no service to contact: reads the keys, and checks that the two keys of a pair match. */
const test: TestCredential = async (data) => {
  const filled = new Set(properties.map(({ name }) => name).filter((name) => optionalCredentialText(data, name) !== ''));
  if (filled.size === 0)
    return { status: 'Error', message: 'the credential has no secret: fill in the fields that the node needs' };
  if (filled.has('signPrivateKey')) privateKeyOf(data, 'signPrivateKey');
  const publicKey = filled.has('encryptionPublicKey') && rsaPublicKey(data, 'encryptionPublicKey');
  const privateKey = filled.has('encryptionPrivateKey') && rsaPrivateKey(data, 'encryptionPrivateKey');
  if (publicKey && privateKey && !isDecrypted(() => oaepDecrypted(privateKey, oaepEncrypted(publicKey, probe)))) {
    return { status: 'Error', message: 'the private key does not decrypt what the public key encrypts' };
  }
  return succeeded('the secrets are valid; no service was contacted');
};

const probe = Buffer.from('probe');

function isDecrypted(decrypt: () => Buffer): boolean {
  try {
    return decrypt().equals(probe);
  } catch {
    return false;
  }
}

/** Secrets of the Crypto node; each action uses only its own. */
export const crypto = defineCredentialType({
  name: 'crypto',
  displayName: 'Crypto',
  documentation: 'https://nodejs.org/api/crypto.html',
  properties,
  test,
});
