import type { JsonValue } from '@sluice/node-sdk';

/**
 * Maximum length of arguments that are parsed: a stream can contain far longer ones, which would
 * block the event loop.
 */
export const maxArgumentsLength = 1_000_000;

/**
 * The call arguments as a model wrote them: JSON, or the text itself if it is too long or invalid.
 */
export function argumentsIn(text: unknown): JsonValue {
  if (typeof text !== 'string') return '';
  if (text.trim() === '') return {};
  if (text.length > maxArgumentsLength) return text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
