import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Output of AES-256-GCM. */
export interface SealedBox {
  /** 96 bits, never repeated under a key. */
  iv: Buffer;
  ciphertext: Buffer;
  /** 128 bits. */
  tag: Buffer;
}

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts `plaintext` under a 32-byte key; only the same `aad` (additional authenticated data)
 * opens the box again. A caller that passes the IV guarantees that it never repeats under the key.
 */
export function sealBox(key: Buffer, plaintext: Buffer, aad: Buffer, iv: Buffer = randomBytes(ivBytes)): SealedBox {
  const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes }).setAAD(aad);
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return { iv, ciphertext, tag: cipher.getAuthTag() };
}

/** Throws if the key, `aad`, or any bit of the box differs from what was used to seal it. */
export function openBox(key: Buffer, { iv, ciphertext, tag }: SealedBox, aad: Buffer): Buffer {
  const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes }).setAAD(aad).setAuthTag(tag);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}

/** A box as one buffer: iv, tag, ciphertext. */
export function packBox({ iv, ciphertext, tag }: SealedBox): Buffer {
  return Buffer.concat([iv, tag, ciphertext]);
}

/** The reverse of `packBox`. A buffer that is too short results in a box that does not open. */
export function unpackBox(packed: Buffer): SealedBox {
  return {
    iv: packed.subarray(0, ivBytes),
    tag: packed.subarray(ivBytes, ivBytes + tagBytes),
    ciphertext: packed.subarray(ivBytes + tagBytes),
  };
}
