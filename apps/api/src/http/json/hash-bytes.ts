import { randomBytes } from 'node:crypto';

/** Bytes per block of a long slice. */
const blockBytes = 256;
/** Random values of this process: the initial sum, and a factor for each position in a block. */
const secrets = new Int32Array(new Uint8Array(randomBytes(4 * (blockBytes + 1))).buffer);

/**
 * A 32-bit hash, as a signed number. Attackers cannot cause collisions more often than by chance; a
 * seeded FNV-1a would let them. Multilinear hashing (Lemire and Kaser, "Strongly universal string
 * hashing is fast") with the finalizer of MurmurHash3, which spreads the entropy over all bits.
 */
export function hashBytes(bytes: Uint8Array, from: number, end: number): number {
  let sum = secrets[0] as number;
  let place = 1;
  for (let at = from; at < end; at++) {
    if (place > blockBytes) {
      sum = sumOf(sum);
      place = 5;
    }
    // Plus one, so that trailing zero bytes count.
    sum = (sum + Math.imul(secrets[place] as number, (bytes[at] as number) + 1)) | 0;
    place++;
  }
  return stirred(sum);
}

/** Starts a block with the sum of the previous blocks, as four bytes. */
function sumOf(before: number): number {
  let sum = secrets[0] as number;
  for (let byte = 0; byte < 4; byte++)
    sum = (sum + Math.imul(secrets[byte + 1] as number, ((before >>> (8 * byte)) & 0xff) + 1)) | 0;
  return sum;
}

function stirred(sum: number): number {
  let hash = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
