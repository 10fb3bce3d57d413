import type { BinaryAccess } from '@sluice/node-sdk';
import { memoryBinary } from '@sluice/nodes-base/testing';

/** A file store that refuses to read a whole file into memory. */
export function streamedOnly(): BinaryAccess {
  return { ...memoryBinary(), read: () => Promise.reject(new Error('the file was read into memory')) };
}
