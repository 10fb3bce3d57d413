import { createHash } from 'node:crypto';

const markLength = 11;

/** 64 bits of a string's digest, as 11 characters: polls remember many strings in little space. */
export function markOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, markLength);
}

/** Marks with their times in milliseconds, as a poll stores them: 20 bytes each. */
export const storedTimes = (times: ReadonlyMap<string, number>): string[] =>
  Array.from(times, ([mark, ms]) => `${mark}${ms.toString(36)}`);

export const timesIn = (stored: readonly string[]): Map<string, number> =>
  new Map(stored.map((entry) => [entry.slice(0, markLength), Number.parseInt(entry.slice(markLength), 36) || 0]));
