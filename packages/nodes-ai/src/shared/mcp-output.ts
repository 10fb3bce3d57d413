import { isJsonObject, type JsonObject, type JsonValue, NodeOperationError, ownProperty } from '@sluice/node-sdk';
import { stringOf } from '@sluice/nodes-base/node-tools';

/** Maximum number of parts that are read from a result. */
export const maxParts = 1_000;

/**
 * A tool result for a model: its text, or the structured content of a result without text. Images
 * and audio are only mentioned. Throws an error with the text of a failed call.
 */
export function toolOutput(result: JsonObject): JsonValue {
  const content = ownProperty(result, 'content');
  const parts = (Array.isArray(content) ? content : []).slice(0, maxParts).flatMap(partText);
  const text = parts.join('\n');
  if (result['isError'] === true) throw new NodeOperationError(text === '' ? 'the tool failed' : text);
  const structured = ownProperty(result, 'structuredContent');
  return parts.length === 0 && isJsonObject(structured) ? structured : text;
}

function partText(part: JsonValue): string[] {
  if (!isJsonObject(part)) return [];
  const { type, text, mimeType, uri, resource } = part;
  switch (type) {
    case 'text':
      return typeof text === 'string' ? [text] : [];
    case 'resource':
      return isJsonObject(resource) ? [resourceText(resource)] : [];
    case 'resource_link':
      return [`[link ${stringOf(uri)}]`];
    case 'image':
    case 'audio':
      return [`[${type} ${stringOf(mimeType)}]`];
    default:
      return [];
  }
}

function resourceText(resource: JsonObject): string {
  const { text, uri } = resource;
  return typeof text === 'string' ? text : `[file ${stringOf(uri)}]`;
}
