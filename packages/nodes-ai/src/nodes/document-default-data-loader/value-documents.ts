import { type JsonValue, NodeOperationError, stringifyJson, type TextDocument } from '@sluice/node-sdk';

/**
 * Maximum number of characters in a value's text: indentation multiplies the length of a deeply
 * nested value.
 */
const maxLength = 256 * 1024 * 1024;

/** The document of a value: its text, or its JSON. Blank text produces no document. */
export async function valueDocuments(value: JsonValue, signal: AbortSignal): Promise<TextDocument[]> {
  const text = await documentText(value, signal);
  const blobType = typeof value === 'string' ? 'text/plain' : 'application/json';
  return text.trim() === '' ? [] : [{ text, metadata: { source: 'blob', blobType } }];
}

/** Text unchanged; other values as JSON with one line per member. */
export async function documentText(value: JsonValue, signal: AbortSignal): Promise<string> {
  if (typeof value === 'string') return value;
  try {
    return await stringifyJson(value, { signal, indent: 2, maxLength });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const description = 'Load less data at a time';
    throw new NodeOperationError(`the value is too large for a document: ${error.message}`, { description, cause: error });
  }
}
