import {
  type CipherGCM,
  type CipherGCMTypes,
  createCipheriv,
  createDecipheriv,
  type DecipherGCM,
  randomBytes,
  type ScryptOptions,
  scrypt,
} from 'node:crypto';
import { NodeOperationError } from '@sluice/node-sdk';

export const cipherNames = ['aes-256-gcm', 'aes-192-gcm', 'aes-128-gcm', 'chacha20-poly1305'] as const;
export type CipherName = (typeof cipherNames)[number];

/** First byte of an encrypted value, followed by salt, IV, tag, and ciphertext. */
const format = 1;
const [saltEnd, ivEnd, tagEnd] = [17, 29, 45];

const tag = { authTagLength: tagEnd - ivEnd };

/**
 * 64 MiB and a fraction of a second per key. With the layout above, this is the format of values
 * that workflows of the de-facto format have stored.
 */
const cost = { N: 2 ** 16, r: 8, p: 1, maxmem: 2 ** 27 } satisfies ScryptOptions;
/** Cost of values encrypted by earlier versions. */
const formerCost = { N: 2 ** 14, r: 8, p: 5 } satisfies ScryptOptions;

/**
 * Encrypts strings with passphrases. All values that it encrypts share a salt, with a separate IV
 * for each string: deriving a key is slow on purpose, and many items should wait for it only once.
 * Each run of a node uses a separate object.
 */
export class PassphraseCipher {
  readonly #salt = randomBytes(saltEnd - 1);
  readonly #keys = new Map<string, Promise<Buffer>>();

  /** Base64. Encrypting the same string again returns a different value. */
  async encrypt(text: string, passphrase: string, cipherName: CipherName): Promise<string> {
    const iv = randomBytes(ivEnd - saltEnd);
    const key = await this.#key(passphrase, this.#salt, cipherName, cost);
    const cipher: CipherGCM = createCipheriv(cipherName as CipherGCMTypes, key, iv, tag);
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(format), this.#salt, iv, cipher.getAuthTag(), encrypted]).toString('base64');
  }

  /**
   * Throws a `NodeOperationError` for a value that `encrypt` did not produce with this passphrase
   * and cipher, or that has been changed.
   */
  async decrypt(value: string, passphrase: string, cipherName: CipherName): Promise<string> {
    const bytes = Buffer.from(value, 'base64');
    if (bytes[0] !== format || bytes.length < tagEnd) throw notEncrypted();
    return (
      (await this.#decrypted(bytes, passphrase, cipherName, cost)) ??
      (await this.#decrypted(bytes, passphrase, cipherName, formerCost)) ??
      notAuthentic()
    );
  }

  /** `undefined` for another passphrase, cipher or cost, or a changed value. */
  async #decrypted(
    bytes: Buffer,
    passphrase: string,
    cipherName: CipherName,
    keyCost: ScryptOptions,
  ): Promise<string | undefined> {
    const key = await this.#key(passphrase, bytes.subarray(1, saltEnd), cipherName, keyCost);
    const decipher: DecipherGCM = createDecipheriv(cipherName as CipherGCMTypes, key, bytes.subarray(saltEnd, ivEnd), tag);
    decipher.setAuthTag(bytes.subarray(ivEnd, tagEnd));
    const start = decipher.update(bytes.subarray(tagEnd));
    try {
      return Buffer.concat([start, decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }

  #key(passphrase: string, salt: Buffer, cipherName: CipherName, keyCost: ScryptOptions): Promise<Buffer> {
    const name = [cipherName, keyCost.N, salt.toString('hex'), passphrase].join(' ');
    const key = this.#keys.get(name) ?? derivedKey(passphrase, salt, keyBytes(cipherName), keyCost);
    this.#keys.set(name, key);
    return key;
  }
}

function keyBytes(cipherName: CipherName): number {
  return cipherName === 'chacha20-poly1305' ? 32 : Number(cipherName.slice(4, 7)) / 8;
}

function derivedKey(passphrase: string, salt: Buffer, length: number, keyCost: ScryptOptions): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  scrypt(passphrase, salt, length, keyCost, (error, key) => (error ? reject(error) : resolve(key)));
  return promise;
}

function notEncrypted(): NodeOperationError {
  return new NodeOperationError('the value was not encrypted by this node with a passphrase', {
    description: 'Use the complete result of the action Encrypt in symmetric mode; other tools have other formats',
  });
}

function notAuthentic(): never {
  throw new NodeOperationError('the value cannot be decrypted with this passphrase and cipher', {
    description: 'Use the passphrase and the cipher that it was encrypted with; the value may also have been changed',
  });
}
