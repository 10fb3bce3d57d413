import type { JsonValue } from '@sluice/node-sdk';

/** Longest arguments of a call that are parsed at once: a stream has room for far longer ones. */
const maxLength = 1_000_000;

/** The arguments of a call as a model wrote them: JSON, or the text itself if it is too long or not valid. */
export function argumentsIn(text: unknown): JsonValue {
  if (typeof text !== 'string') return '';
  if (text.trim() === '') return {};
  if (text.length > maxLength) return text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
