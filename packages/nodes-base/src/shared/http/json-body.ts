import { excessOf, type JsonValue, maxDataContainers, maxDataDepth, NodeOperationError, parseJson } from '@sluice/node-sdk';

/** Parses a JSON response in time slices. `hint`: advice for a response that is not JSON. */
export async function parseJsonBody(text: string, itemIndex: number, hint: string): Promise<JsonValue> {
  const excess = await excessOf(text, maxDataDepth, maxDataContainers);
  if (excess) {
    const problem =
      excess === 'deep'
        ? `is nested deeper than ${maxDataDepth} levels`
        : `contains more than ${maxDataContainers} lists and objects`;
    throw new NodeOperationError(`the response ${problem}`, {
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
