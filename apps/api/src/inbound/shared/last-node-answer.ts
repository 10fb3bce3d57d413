import {
  type Item,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type NodeRun,
  ownProperty,
  type WebhookBody,
  type WebhookResponse,
} from '@sluice/domain';

/** The answer that is made of what the last node gave; `undefined`: that has nothing of the kind. */
export function lastNodeAnswer(run: NodeRun | undefined, response: WebhookResponse): WebhookBody | undefined {
  const items = itemsOf(run);
  switch (response.data) {
    case 'noData':
      return { kind: 'none' };
    case 'allEntries':
      return run?.truncated ? undefined : { kind: 'json', json: items.map(({ json }) => json) };
    case 'firstEntryJson':
      return items[0] && entry(items[0].json, response);
    case 'firstEntryBinary': {
      const file = ownProperty(items[0]?.binary ?? {}, response.binaryProperty ?? 'data');
      return file && { kind: 'file', file };
    }
  }
}

/**
 * Of the first output: others may hold what a node keeps to show, such as the items that a filter discards. What nothing led to is the webhook itself: its items
 * come out of the output of the method that it was called with.
 */
function itemsOf(run: NodeRun | undefined): readonly Item[] {
  const outputs = run?.data?.['main'] ?? [];
  const isCalled = run?.source.length === 0;
  return (isCalled ? outputs.find((items) => items && items.length > 0) : outputs[0]) ?? [];
}

function entry(json: JsonObject, { property, contentType }: WebhookResponse): WebhookBody | undefined {
  const value = property === undefined ? json : fieldOf(json, property);
  if (value === undefined) return undefined;
  if (contentType === undefined) return { kind: 'json', json: value };
  return { kind: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) };
}

function fieldOf(json: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = json;
  for (const key of path.split('.')) {
    if (!isJsonObject(value) && !Array.isArray(value)) return undefined;
    value = ownProperty(value as JsonObject, key);
  }
  return value;
}
