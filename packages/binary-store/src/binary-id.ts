import { randomBytes } from 'node:crypto';

/** The id of a new file: 192 random bits, in characters that any file system and any URL keeps apart. */
export function newBinaryId(): string {
  return randomBytes(24).toString('hex');
}

/** Whether the text can be an id: nothing else ever becomes part of a path or a key. */
export function isBinaryId(text: string): boolean {
  return /^[0-9a-f]{48}$/.test(text);
}
