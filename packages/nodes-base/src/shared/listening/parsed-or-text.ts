import { exceedsDepth, type JsonValue, maxDataDepth } from '@sluice/node-sdk';

/** A text as the JSON that it is; one that is none, or is nested too deeply for data, stays as it is. */
export function parsedOrText(text: string): JsonValue {
  try {
    const parsed = JSON.parse(text) as JsonValue;
    return exceedsDepth(text, maxDataDepth) ? text : parsed;
  } catch {
    return text;
  }
}
