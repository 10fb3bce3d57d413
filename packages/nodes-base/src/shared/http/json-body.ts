import { excessOf, type JsonValue, maxDataDepth, NodeOperationError, parseJson } from '@sluice/node-sdk';

/** Parses a JSON response in time slices. `hint`: advice for a response that is not JSON. */
export async function parseJsonBody(text: string, itemIndex: number, hint: string): Promise<JsonValue> {
  if ((await excessOf(text, maxDataDepth)) === 'deep') {
    throw new NodeOperationError(`the response is nested deeper than ${maxDataDepth} levels`, {
      itemIndex,
      description: 'Request less data, or read the response as text',
    });
  }
  try {
    return (await parseJson(text)) as JsonValue;
  } catch (cause) {
    throw new NodeOperationError('the response is not valid JSON', { itemIndex, description: hint, cause });
  }
}
