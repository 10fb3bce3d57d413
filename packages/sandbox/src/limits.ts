/** Fixed limits that keep one call small, regardless of its author. */

/**
 * Expressions of one node that the host parses. The guest evaluates the rest within its deadline.
 */
export const maxHostSources = 5_000;
/** Characters of the code of one Code node. */
export const maxCodeLength = 1024 * 1024;
/** Nesting of a parameter tree, and steps of a plain path. */
export const maxDepth = 256;
/** Characters of JSON text that one call returns. */
export const maxOutputLength = 16 * 1024 * 1024;
/** Nesting of JSON that one call returns. */
export const maxOutputDepth = 512;
/** Entries, and characters over all entries, of the console output of one Code run. */
export const maxLogEntries = 1_000;
export const maxLogLength = 256 * 1024;
/** Bytes of a file that code reads. */
export const maxFileBytes = 16 * 1024 * 1024;
/** Rounds of one call to find nodes with computed names. */
export const maxRounds = 8;
/** Data that one round sends in addition; more is left to the next one. */
export const maxNeeds = 10_000;
/** Characters of one query of the guest to the host. */
export const maxServiceLength = 16 * 1024 * 1024;
/** Characters of one workflow's or node's static data, as JSON text. */
export const maxStaticDataLength = 1024 * 1024;

/** The least memory, in bytes, that a guest may be limited to. */
export const leastGuestBytes = 16 * 1024 * 1024;

/** Bytes of a guest's memory that the stack and the largest image take. */
const imageBytes = 8 * 1024 * 1024;

/**
 * Characters that the request to a guest with this much memory may have. Each takes up to three bytes
 * while it is passed on, and the guest then holds it several times.
 */
export function maxRequestLength(guestBytes: number): number {
  return (Math.max(leastGuestBytes, guestBytes) - imageBytes) / 4;
}
