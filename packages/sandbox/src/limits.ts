import { dataSize } from '@sluice/domain';
import type { GuestOutcome } from './protocol.ts';

/** Fixed limits that keep one call small, regardless of its author. */

/**
 * Maximum number of expressions of one node that the host parses, and of characters in them.
 * Parsing blocks the event loop for up to 20 ms then. The guest evaluates the rest within its
 * deadline. Nodes of public workflows have up to 52 expressions and 7,300 characters.
 */
export const maxHostSources = 250;
export const maxHostSourcesLength = 16 * 1024;
/** Maximum length of a Code node's code, in characters. */
export const maxCodeLength = 1024 * 1024;
/** Maximum nesting of a parameter tree, and number of steps of a plain path. */
export const maxDepth = 256;
/** Maximum length of the JSON text that one call returns, in characters. */
export const maxOutputLength = 16 * 1024 * 1024;
/** Memory that the data of such a text needs, in bytes. */
export const maxOutputSize = dataSize(maxOutputLength);

/** Memory of an outcome until the output is stored: its text, the data, and the stored text. */
export function sizeOf(outcome: GuestOutcome | undefined): number {
  return outcome && 'reply' in outcome ? 2 * dataSize(outcome.reply.length) : 0;
}

/** Maximum nesting of the JSON that one call returns. */
export const maxOutputDepth = 512;
/**
 * Maximum number of entries, and of characters in all entries, of one Code run's console output.
 */
export const maxLogEntries = 1_000;
export const maxLogLength = 256 * 1024;
/** Maximum size of a file that code reads, in bytes. */
export const maxFileBytes = 16 * 1024 * 1024;
/** Maximum number of rounds of one call to find nodes with computed names. */
export const maxRounds = 8;
/** Maximum data that one round adds; the rest is left to the next round. */
export const maxNeeds = 10_000;
/** Maximum length of one query from the guest to the host, in characters. */
export const maxServiceLength = 16 * 1024 * 1024;
/** Maximum length of one workflow's or node's static data as JSON text, in characters. */
export const maxStaticDataLength = 1024 * 1024;

/** The smallest memory limit of a guest, in bytes. */
export const leastGuestBytes = 16 * 1024 * 1024;

/** Bytes of a guest's memory that the stack and the largest image occupy. */
const imageBytes = 8 * 1024 * 1024;

/**
 * Maximum length of a request to a guest with this much memory, in characters. Each takes up to
 * three bytes while it is passed on, and the guest then holds it several times.
 */
export function maxRequestLength(guestBytes: number): number {
  return (Math.max(leastGuestBytes, guestBytes) - imageBytes) / 4;
}
