import { type ExecuteContext, type Item, type JsonObject, type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import type { Redis } from 'ioredis';
import { parseFieldPath, setOwn, withField } from '../../shared/field-path.ts';
import { booleanParameter, choiceParameter, numberParameter, requiredText, textParameter } from '../../shared/parameters.ts';
import { parsedOrText } from '../../shared/parsed-or-text.ts';
import { parseInfo } from './parse-info.ts';
import { keyTypes, readKey, toText, writeKey } from './redis-values.ts';

/** Context of an operation for one item. */
export interface Step {
  client: Redis;
  context: ExecuteContext;
  item: Item;
  itemIndex: number;
}

export const operationNames = ['info', 'delete', 'get', 'incr', 'keys', 'llen', 'pop', 'publish', 'push', 'set'] as const;

/** Each operation's result for an item; the item itself if the operation only writes. */
export const operations: Record<(typeof operationNames)[number], (step: Step) => Promise<Item>> = {
  info: async (step) => itemOf(step, parseInfo(await step.client.info())),
  delete: passing((step) => step.client.del(key(step))),
  get: (step) => readValue(step),
  incr: (step) => increment(step),
  keys: (step) => readKeys(step),
  llen: async (step) => named(step, listName(step), await step.client.llen(listName(step))),
  pop: (step) => pop(step),
  publish: passing(({ client, context, itemIndex }) =>
    client.publish(requiredText(context, 'channel', itemIndex), message(context, itemIndex)),
  ),
  push: passing((step) => {
    const value = message(step.context, step.itemIndex);
    return isTail(step) ? step.client.rpush(listName(step), value) : step.client.lpush(listName(step), value);
  }),
  set: passing((step) => set(step)),
};

function passing(work: (step: Step) => Promise<unknown>): (step: Step) => Promise<Item> {
  return async (step) => {
    await work(step);
    return { ...step.item, pairedItem: { item: step.itemIndex } };
  };
}

async function readValue(step: Step): Promise<Item> {
  const { client, context, itemIndex } = step;
  const type = choiceParameter(context, 'keyType', itemIndex, keyTypes, 'automatic');
  return propertyItem(step, await readKey(client, key(step), type));
}

async function increment(step: Step): Promise<Item> {
  const count = await step.client.incr(key(step));
  await expire(step);
  return named(step, key(step), count);
}

async function pop(step: Step): Promise<Item> {
  const text = await (isTail(step) ? step.client.rpop(listName(step)) : step.client.lpop(listName(step)));
  return propertyItem(step, text === null ? null : await parsedOrText(text));
}

async function set(step: Step): Promise<void> {
  const { client, context, itemIndex } = step;
  const type = choiceParameter(context, 'keyType', itemIndex, keyTypes, 'automatic');
  const valueIsJson = booleanParameter(context, 'valueIsJSON', itemIndex, true);
  const value = context.parameter<JsonValue>('value', itemIndex, '');
  await writeKey(client, { key: key(step), value, type, valueIsJson, itemIndex });
  await expire(step);
}

/** Scans for keys in batches: `KEYS` would block a large server. */
async function readKeys(step: Step): Promise<Item> {
  const { client, context, itemIndex } = step;
  const match = requiredText(context, 'keyPattern', itemIndex);
  const keySet = new Set<string>();
  let cursor = '0';
  do {
    const [next, keys] = await client.scan(cursor, 'MATCH', match, 'COUNT', 1_000);
    for (const name of keys) keySet.add(name);
    cursor = next;
  } while (cursor !== '0');
  const names = [...keySet].sort();
  if (!booleanParameter(context, 'getValues', itemIndex, true)) return itemOf(step, { keys: names });
  const json: JsonObject = {};
  for (const name of names) setOwn(json, name, await readKey(client, name, 'automatic'));
  return itemOf(step, json);
}

async function expire({ client, context, itemIndex, ...step }: Step): Promise<void> {
  if (!booleanParameter(context, 'expire', itemIndex, false)) return;
  const seconds = numberParameter(context, 'ttl', itemIndex, 60);
  if (!Number.isInteger(seconds) || seconds < 1) {
    throw new NodeOperationError('the parameter "ttl" must be a whole number of seconds, 1 or more', {
      itemIndex,
      description: 'Use seconds, or switch "expire" off',
    });
  }
  await client.expire(key({ client, context, itemIndex, ...step }), seconds);
}

function key({ context, itemIndex }: Step): string {
  return requiredText(context, 'key', itemIndex);
}

function listName({ context, itemIndex }: Step): string {
  return requiredText(context, 'list', itemIndex);
}

function isTail({ context, itemIndex }: Step): boolean {
  return booleanParameter(context, 'tail', itemIndex, false);
}

function message(context: ExecuteContext, itemIndex: number): string {
  return toText(context.parameter<JsonValue>('messageData', itemIndex, ''));
}

function propertyItem(step: Step, value: JsonValue): Item {
  const { context, itemIndex } = step;
  const name = textParameter(context, 'propertyName', itemIndex, 'propertyName').trim() || 'propertyName';
  const path = parseFieldPath(name, booleanParameter(context, 'options.dotNotation', itemIndex, true));
  return itemOf(step, withField({}, path, value));
}

function named(step: Step, name: string, value: JsonValue): Item {
  const json: JsonObject = {};
  setOwn(json, name, value);
  return itemOf(step, json);
}

function itemOf({ itemIndex }: Step, json: JsonObject): Item {
  return { json, pairedItem: { item: itemIndex } };
}
