export { isBinaryId, newBinaryId } from './binary-id.ts';
export type { BinaryStore } from './binary-store.ts';
export { createBinaryStore } from './create-binary-store.ts';
export { type DescribedFile, describeFile, type FileDescription } from './describe-file.ts';
export { BinaryNotFoundError } from './errors.ts';
