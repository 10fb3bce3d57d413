import { randomBytes } from 'node:crypto';

/**
 * The id of a new file: 192 random bits, in characters that are distinct and safe in every file
 * system and URL.
 */
export function newBinaryId(): string {
  return randomBytes(24).toString('hex');
}

/** Whether the text is a valid id; other text must not become part of a path or a key. */
export function isBinaryId(text: string): boolean {
  return /^[0-9a-f]{48}$/.test(text);
}
