import { excessOf, type JsonValue, maxDataDepth, parseJson } from '@sluice/node-sdk';
import { maxContainers } from './json-file.ts';

/**
 * Parses a string as JSON, in time slices if it is long. Text that is not JSON, is too deeply
 * nested, or has too many lists and objects is returned unchanged.
 */
export async function parsedOrText(text: string): Promise<JsonValue> {
  if (await excessOf(text, maxDataDepth, maxContainers)) return text;
  try {
    return (await parseJson(text)) as JsonValue;
  } catch {
    return text;
  }
}
