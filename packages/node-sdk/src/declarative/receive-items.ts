import { type Item, isJsonObject, type JsonObject, type JsonValue, mapSliced, sortSliced, valueAt } from '@sluice/domain';
import type { ExecuteContext } from '../context.ts';
import { headerText } from '../http/http.ts';
import type { RoutingResolver } from './resolve-routing.ts';
import { isPresent } from './resolve-routing.ts';
import type { ReceiveStep } from './routed-request.ts';
import type { PostReceive, RoutingResponse } from './routing.ts';

interface Receiving {
  response: RoutingResponse;
  context: ExecuteContext;
  itemIndex: number;
  resolver: RoutingResolver;
}

/** Runs the receive steps over a response and returns its items. */
export async function receiveItems(steps: readonly ReceiveStep[], receiving: Receiving): Promise<Item[]> {
  let items = await itemsOf(receiving.response.body);
  for (const { step, names } of steps)
    items = await receive(step, items, { ...names, $response: viewOf(receiving.response) }, receiving);
  return items;
}

/** The names for expressions about a response. */
export function viewOf({ body, headers, status, statusText }: RoutingResponse): JsonObject {
  return { body, headers: headers as JsonObject, statusCode: status, statusMessage: statusText };
}

/** A list may have millions of elements. */
async function itemsOf(value: JsonValue | undefined): Promise<Item[]> {
  if (!isPresent(value)) return [];
  return mapSliced(Array.isArray(value) ? value : [value], (one) => ({ json: isJsonObject(one) ? one : { data: one } }));
}

async function receive(step: PostReceive, items: Item[], names: JsonObject, receiving: Receiving): Promise<Item[]> {
  const { resolver, response, context, itemIndex } = receiving;
  if (typeof step === 'function') return step(items, response, context, itemIndex);
  if (isPresent(step.enabled) && (await resolver.resolve(step.enabled, names)) !== true) return items;
  const ofItem = (item: Item) => ({ ...names, $responseItem: item.json });
  switch (step.type) {
    case 'rootProperty': {
      const path = await resolver.text(step.properties.property, names);
      const values = await mapSliced(items, ({ json }) => valueAt(json, path));
      return itemsOf(values.filter(isPresent).flat());
    }
    case 'filter': {
      const passing = await mapSliced(items, (item) => resolver.resolve(step.properties.pass, ofItem(item)));
      const passes = await Promise.all(passing);
      return items.filter((_, index) => passes[index] === true);
    }
    case 'limit':
      if (!isPresent(step.properties.maxResults)) return items;
      return items.slice(0, await resolver.limit(step.properties.maxResults, names));
    case 'set':
      return itemsOf(await resolver.resolve(step.properties.value, names));
    case 'setKeyValue':
      return Promise.all(
        await mapSliced(items, async (item) => ({
          json: (await resolver.resolve({ ...step.properties }, ofItem(item))) as JsonObject,
        })),
      );
    case 'sort': {
      const key = await resolver.text(step.properties.key, names);
      const keyed = await mapSliced(items, (item) => ({ item, key: valueAt(item.json, key) }));
      return (await sortSliced(keyed, (a, b) => compare(a.key, b.key))).map(({ item }) => item);
    }
    case 'binaryData': {
      const type = headerText(response.headers, 'content-type');
      const file = await context.binary.store(response.raw, type === '' ? {} : { mimeType: type.split(';', 1).join().trim() });
      return [{ json: {}, binary: { [await resolver.text(step.properties.destinationProperty, names)]: file } }];
    }
  }
}

/** Compares numbers by size and other values as text. Absent values come last. */
function compare(a: JsonValue | undefined, b: JsonValue | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [first, second] = [String(a), String(b)];
  return first < second ? -1 : Number(first > second);
}
