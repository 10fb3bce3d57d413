import { exceedsDepth, type JsonValue, maxDataDepth, NodeOperationError, parseJson } from '@sluice/node-sdk';

/** The JSON of a response, parsed in time slices. `hint`: what to do about a response that is not JSON. */
export async function parseJsonBody(text: string, itemIndex: number, hint: string): Promise<JsonValue> {
  if (exceedsDepth(text, maxDataDepth)) {
    throw new NodeOperationError(`the response is nested deeper than ${maxDataDepth} levels`, {
      itemIndex,
      description: 'Ask the service for less, or take the response as text',
    });
  }
  try {
    return (await parseJson(text)) as JsonValue;
  } catch (cause) {
    throw new NodeOperationError('the response is not valid JSON', { itemIndex, description: hint, cause });
  }
}
