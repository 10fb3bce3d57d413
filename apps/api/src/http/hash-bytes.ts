import { randomBytes } from 'node:crypto';

/** Bytes of a long slice that are hashed in one go. */
const blockBytes = 256;
/** Random values of this process: the start of a sum, and a factor for each place in a block. */
const secrets = new Int32Array(new Uint8Array(randomBytes(4 * (blockBytes + 1))).buffer);

/**
 * A 32-bit hash, as a signed number. Attackers cannot produce collisions more often than by chance, as a seeded FNV-1a would allow. The sum is that of
 * multilinear hashing (Lemire and Kaser, "Strongly universal string hashing is fast"), stirred as MurmurHash3 ends, so that all bits are alike.
 */
export function hashBytes(bytes: Uint8Array, from: number, end: number): number {
  let sum = secrets[0] as number;
  let place = 1;
  for (let at = from; at < end; at++) {
    if (place > blockBytes) {
      sum = sumOf(sum);
      place = 5;
    }
    // One more than the byte: a zero at the end counts.
    sum = (sum + Math.imul(secrets[place] as number, (bytes[at] as number) + 1)) | 0;
    place++;
  }
  return stirred(sum);
}

/** Begins a block with the sum of those before it, as four bytes. */
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
