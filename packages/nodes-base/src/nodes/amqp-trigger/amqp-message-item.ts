import { type Item, isJsonObject, type JsonObject } from '@sluice/node-sdk';
import type { Message } from 'rhea';
import { setOwn } from '../../shared/field-path.ts';
import { parsedOrText } from '../../shared/parsed-or-text.ts';
import { toJson } from '../../shared/to-json.ts';

interface AmqpReading {
  /** Whether to decode bytes as text rather than as base64. */
  bytesAsText: boolean;
  /** Whether to parse a string that is JSON. */
  parses: boolean;
  /** Whether the item is only the body. */
  onlyBody: boolean;
}

/**
 * Converts a message to an item with its properties, under their protocol names, and its body.
 * Rejects with a `RangeError` if it is nested too deeply.
 */
export async function amqpMessageItem(message: Message, { bytesAsText, parses, onlyBody }: AmqpReading): Promise<Item> {
  const raw = bodyOf(message.body);
  const text = raw instanceof Uint8Array && bytesAsText ? Buffer.from(raw).toString() : raw;
  const body = parses && typeof text === 'string' ? await parsedOrText(text) : toJson(text);
  if (onlyBody) return { json: isJsonObject(body) ? body : { body } };
  const json: JsonObject = {};
  for (const [name, value] of Object.entries(message))
    if (name !== 'body' && value !== undefined) setOwn(json, name, toJson(value));
  return { json: { ...json, body } };
}

/** Bytes arrive in a data section. */
function bodyOf(body: unknown): unknown {
  const { content } = (body ?? {}) as { content?: unknown };
  return content instanceof Uint8Array ? content : body;
}
