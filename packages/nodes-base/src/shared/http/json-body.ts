import { exceedsDepth, type JsonValue, maxDataDepth, NodeOperationError } from '@sluice/node-sdk';

/** The JSON of a response, once its depth is known to be bearable. `hint`: what to do about a response that is none. */
export function parseJsonBody(text: string, itemIndex: number, hint: string): JsonValue {
  if (exceedsDepth(text, maxDataDepth)) {
    throw new NodeOperationError(`the response is nested deeper than ${maxDataDepth} levels`, {
      itemIndex,
      description: 'Ask the service for less, or take the response as text',
    });
  }
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw new NodeOperationError('the response is not valid JSON', { itemIndex, description: hint, cause });
  }
}
