import { type Item, isJsonObject, type JsonObject } from '@sluice/node-sdk';
import type { Message } from 'rhea';
import { setOwn } from '../../shared/field-path.ts';
import { parsedOrText } from '../../shared/listening/parsed-or-text.ts';
import { toJson } from '../../shared/to-json.ts';

export interface AmqpReading {
  /** Whether bytes come as text rather than in base64. */
  bytesAsText: boolean;
  /** Whether a text that is JSON is taken for what it says. */
  parses: boolean;
  /** Whether the item is the body alone. */
  onlyBody: boolean;
}

/** A message as an item: its properties by their names in the protocol, and its body. Throws a `RangeError` where it is nested too deeply. */
export function amqpMessageItem(message: Message, { bytesAsText, parses, onlyBody }: AmqpReading): Item {
  const raw = bodyOf(message.body);
  const text = raw instanceof Uint8Array && bytesAsText ? Buffer.from(raw).toString() : raw;
  const body = parses && typeof text === 'string' ? parsedOrText(text) : toJson(text);
  if (onlyBody) return { json: isJsonObject(body) ? body : { body } };
  const json: JsonObject = {};
  for (const [name, value] of Object.entries(message))
    if (name !== 'body' && value !== undefined) setOwn(json, name, toJson(value));
  return { json: { ...json, body } };
}

/** Bytes arrive in a section that says so. */
function bodyOf(body: unknown): unknown {
  const { content } = (body ?? {}) as { content?: unknown };
  return content instanceof Uint8Array ? content : body;
}
