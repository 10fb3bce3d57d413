import { errorMessage, excessOf, type JsonValue, maxDataDepth, NodeOperationError, parseJson } from '@sluice/node-sdk';

/**
 * Maximum number of lists and objects in a JSON text: their number, rather than the bytes,
 * determines a parser's time and memory.
 */
export const maxContainers = 1_000_000;

/**
 * Parses a file's JSON text in time slices; blank text is an empty object. The error contains the
 * position of the syntax error.
 */
export async function parseJsonText(text: string, itemIndex: number): Promise<JsonValue> {
  if (text.trim() === '') return {};
  const excess = await excessOf(text, maxDataDepth, maxContainers);
  if (excess === 'many') {
    throw new NodeOperationError(`the JSON file contains more than ${maxContainers} lists and objects`, {
      itemIndex,
      description: 'Split the file into smaller ones',
    });
  }
  if (excess === 'deep') {
    throw new NodeOperationError(`the JSON file is nested deeper than ${maxDataDepth} levels`, {
      itemIndex,
      description: 'Read it as text and extract the part that you need',
    });
  }
  try {
    return (await parseJson(text)) as JsonValue;
  } catch (cause) {
    throw new NodeOperationError(`the file is not valid JSON: ${errorMessage(cause)}`, {
      itemIndex,
      description: 'Check the encoding, and that the file contains a single JSON value',
      cause,
    });
  }
}
