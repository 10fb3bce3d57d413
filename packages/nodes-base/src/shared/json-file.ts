import { errorMessage, exceedsDepth, type JsonValue, maxDataDepth, NodeOperationError, parseJson } from '@sluice/node-sdk';

/** Lists and objects of one file: they, not its bytes, are what takes time and memory. */
const maxContainers = 1_000_000;

/** JSON of a file's text, parsed in time slices; an empty object for a blank text. The error says where the text goes wrong. */
export async function parseJsonText(text: string, itemIndex: number): Promise<JsonValue> {
  if (text.trim() === '') return {};
  if (hasTooMany(text)) {
    throw new NodeOperationError(`the JSON file holds more than ${maxContainers} lists and objects`, {
      itemIndex,
      description: 'Split the file into smaller ones',
    });
  }
  if (exceedsDepth(text, maxDataDepth)) {
    throw new NodeOperationError(`the JSON file is nested deeper than ${maxDataDepth} levels`, {
      itemIndex,
      description: 'Read it as text, and take out the part that is needed',
    });
  }
  try {
    return (await parseJson(text)) as JsonValue;
  } catch (cause) {
    throw new NodeOperationError(`the file is not valid JSON: ${errorMessage(cause)}`, {
      itemIndex,
      description: 'Check that the file holds one JSON value, and its encoding',
      cause,
    });
  }
}

/** Those within texts count too: nobody is turned away for them but at the very limit. */
function hasTooMany(text: string): boolean {
  let containers = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x5b || code === 0x7b) containers++;
  }
  return containers > maxContainers;
}
