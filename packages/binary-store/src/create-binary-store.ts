import type { BinaryStore } from './binary-store.ts';
import { DiskStore } from './disk-store.ts';
import { type S3Options, S3Store } from './s3-store.ts';

/** Location of files. `folder`: absolute. */
type BinaryPlace = { kind: 'disk'; folder: string } | ({ kind: 's3' } & Omit<S3Options, 'credentials'>);

/**
 * Has no side effects: the folder or bucket is accessed on first use. `credentials`: for the
 * bucket.
 */
export function createBinaryStore(place: BinaryPlace, credentials: S3Options['credentials']): BinaryStore {
  return place.kind === 'disk' ? new DiskStore(place.folder) : new S3Store({ ...place, credentials });
}
