import { type JsonObject, NodeOperationError } from '@sluice/node-sdk';
import { choiceParameter, requiredText } from '../../shared/parameters.ts';
import { maxOaepBytes, oaepDecrypted, oaepEncrypted, rsaPrivateKey, rsaPublicKey } from '../../shared/rsa-oaep.ts';
import { type CryptoInput, credentialOf, fromCredential, secretField, textOf } from './crypto-input.ts';
import { type CipherName, cipherNames, type PassphraseCipher } from './passphrase-cipher.ts';

export async function encrypt(input: CryptoInput, cipher: PassphraseCipher): Promise<string> {
  const text = textOf(input);
  const data = await credentialOf(input);
  if (isAsymmetric(input)) return encryptForKey(text, data);
  return cipher.encrypt(text, secretField(data, 'encryptionPassphrase'), cipherOf(input));
}

export async function decrypt(input: CryptoInput, cipher: PassphraseCipher): Promise<string> {
  const value = requiredText(input.context, 'value', input.itemIndex);
  const data = await credentialOf(input);
  if (isAsymmetric(input)) return decryptWithKey(value, data);
  return cipher.decrypt(value, secretField(data, 'encryptionPassphrase'), cipherOf(input));
}

function encryptForKey(text: string, data: JsonObject): string {
  const key = fromCredential(() => rsaPublicKey(data, 'encryptionPublicKey'));
  const bytes = Buffer.from(text);
  const maxBytes = maxOaepBytes(key);
  if (bytes.length <= maxBytes) return oaepEncrypted(key, bytes).toString('base64');
  throw new NodeOperationError(`the value has ${bytes.length} bytes, and this key encrypts ${maxBytes} at most`, {
    description: 'Encrypt longer values in symmetric mode, and only their passphrase with a key',
  });
}

function decryptWithKey(value: string, data: JsonObject): string {
  const key = fromCredential(() => rsaPrivateKey(data, 'encryptionPrivateKey'));
  try {
    return oaepDecrypted(key, Buffer.from(value, 'base64')).toString('utf8');
  } catch {
    throw new NodeOperationError('the value cannot be decrypted with this private key', {
      description: 'It must be in base64, encrypted by RSA-OAEP with SHA-256 for the public key that belongs to this one',
    });
  }
}

function isAsymmetric({ context, itemIndex }: CryptoInput): boolean {
  return choiceParameter(context, 'mode', itemIndex, ['asymmetric', 'symmetric'], 'symmetric') === 'asymmetric';
}

function cipherOf({ context, itemIndex }: CryptoInput): CipherName {
  return choiceParameter(context, 'cipher', itemIndex, cipherNames, 'aes-256-gcm');
}
