import { BeyondHost } from '@sluice/expressions';

/**
 * Maximum length of a string that a function reads or writes, in characters: takes less than a
 * millisecond.
 */
const maxTextLength = 128 * 1024;

export function assertShort(length: number): void {
  if (length > maxTextLength) throw BeyondHost.instance;
}
