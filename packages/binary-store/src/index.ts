export { isBinaryId, newBinaryId } from './binary-id.ts';
export type { BinaryStore, ByteRange, DeleteOptions } from './binary-store.ts';
export { type BinaryPlace, createBinaryStore } from './create-binary-store.ts';
export { type DescribedFile, describeFile, type GivenDescription } from './describe-file.ts';
export { BinaryNotFoundError } from './errors.ts';
export type { S3Options } from './s3-store.ts';
