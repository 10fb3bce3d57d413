import { exceedsDepth, type JsonValue, maxDataDepth } from '@sluice/node-sdk';

/**
 * Parses a text as JSON. Text that is not JSON, or is nested too deeply for data, is returned
 * unchanged.
 */
export function parsedOrText(text: string): JsonValue {
  try {
    const parsed = JSON.parse(text) as JsonValue;
    return exceedsDepth(text, maxDataDepth) ? text : parsed;
  } catch {
    return text;
  }
}
