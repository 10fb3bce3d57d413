import { type Item, isJsonObject, type JsonObject, type JsonValue, NodeOperationError, TimeSlice } from '@sluice/node-sdk';
import { withFile } from '../../shared/binary-files.ts';
import { setOwn } from '../../shared/field-path.ts';
import type { ReceivedResponse } from './receive-response.ts';
import type { ResponseOptions } from './response-options.ts';

/**
 * Twice the default limit for a node run (16 MiB): each item takes at least 36 bytes of JSON there.
 */
export const maxResponseItems = 1_000_000;

/**
 * A response's items: one per list element, one for an object, one with a field for text, and an
 * empty item for an empty body. A file is added to the files of the requesting item, alongside its
 * JSON. A long list is divided in time slices.
 */
export async function responseItems(
  response: ReceivedResponse,
  options: ResponseOptions,
  item: Item | undefined,
  itemIndex: number,
): Promise<Item[]> {
  const { body } = response;
  const pairedItem = { item: itemIndex };
  if (body.kind === 'file') {
    const json = options.full ? head(response) : (item?.json ?? {});
    return [{ json, binary: withFile(item?.binary, options.property, body.file), pairedItem }];
  }
  const value = body.kind === 'json' ? body.value : body.text;
  if (options.full) return [{ json: full(response, value, options), pairedItem }];
  const values = Array.isArray(value) && options.splitList ? value : [value];
  if (values.length > maxResponseItems) throw tooManyItems(values.length, itemIndex);
  const slice = new TimeSlice();
  const items: Item[] = [];
  for (const one of values) {
    items.push({ json: asObject(one, options), pairedItem });
    if (items.length % 1_000 === 0 && slice.isOver) await slice.next();
  }
  return items;
}

function tooManyItems(count: number, itemIndex: number): NodeOperationError {
  return new NodeOperationError(`the response lists ${count} items, more than the maximum of ${maxResponseItems}`, {
    itemIndex,
    description: 'Request fewer entries at a time, or store the response as a file',
  });
}

function head({ status, statusText, headers }: ReceivedResponse): JsonObject {
  return { headers: { ...headers }, statusCode: status, statusMessage: statusText };
}

/** Text has a separate field, even if the type was detected. */
function full(response: ReceivedResponse, body: JsonValue, { format, property }: ResponseOptions): JsonObject {
  const json: JsonObject = {};
  const isText = format === 'text' || (response.body.kind === 'text' && body !== '');
  setOwn(json, isText ? property : 'body', body);
  return { ...json, ...head(response) };
}

/** An unsplit list is the item's JSON: workflows of the older versions read `$json` as a list. */
function asObject(value: JsonValue, { property }: ResponseOptions): JsonObject {
  if (isJsonObject(value)) return value;
  if (value === null || value === '') return {};
  if (Array.isArray(value)) return value as unknown as JsonObject;
  const json: JsonObject = {};
  setOwn(json, property, value);
  return json;
}
