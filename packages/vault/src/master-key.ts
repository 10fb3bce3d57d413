import { createHash, randomBytes, scryptSync } from 'node:crypto';

/** A key that wraps data keys. Never stored or logged; its `id` may be. */
export interface MasterKey {
  /** First eight bytes of a hash of the key, in hex: identical in every process. */
  readonly id: string;
  /** 32 bytes. */
  readonly bytes: Buffer;
}

export const keyBytes = 32;

/**
 * Passphrases are turned into keys by scrypt with these fixed values: changing any of them makes
 * every credential unreadable. The salt cannot be random, because all processes of an installation
 * must derive the same key; a random 32-byte key is the better choice.
 */
const passphraseSalt = 'sluice master key v1';
const scryptCost = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const minPassphraseLength = 16;

/**
 * Parses one entry of `ENCRYPTION_KEY`: 32 bytes in hex or base64 (either alphabet), else a
 * passphrase. Throws for a passphrase under 16 characters, without quoting it.
 */
export function parseMasterKey(text: string): MasterKey {
  const bytes = decodeKey(text) ?? deriveKey(text);
  const hash = createHash('sha256').update('sluice master key id').update(bytes).digest('hex');
  return { id: hash.slice(0, 16), bytes };
}

/** A new random key, as text for `ENCRYPTION_KEY` or a key file. */
export function generateMasterKey(): string {
  return randomBytes(keyBytes).toString('base64');
}

function decodeKey(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

function deriveKey(passphrase: string): Buffer {
  if (passphrase.length < minPassphraseLength) {
    throw new Error(`a master key is 32 bytes in base64 or hex, or a passphrase of ${minPassphraseLength} or more characters`);
  }
  return scryptSync(passphrase.normalize('NFC'), passphraseSalt, keyBytes, scryptCost);
}
