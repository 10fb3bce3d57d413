import type { AMQPMessage } from '@cloudamqp/amqp-client/amqp-message';
import { type Item, isJsonObject, type JsonObject, type JsonValue, type SourceContext } from '@sluice/node-sdk';
import { parsedOrText } from '../../shared/parsed-or-text.ts';
import { toJson } from '../../shared/to-json.ts';

interface RabbitMqReading {
  /** Whether to add the body as a file. */
  isBinary: boolean;
  /** Whether to parse a body that is JSON. */
  parses: boolean;
  /** Whether the item is only the body. */
  onlyContent: boolean;
}

/** Converts a message to an item. Throws a `RangeError` if its headers are nested too deeply. */
export async function rabbitMqMessageItem(
  { binary }: Pick<SourceContext, 'binary'>,
  message: AMQPMessage,
  { isBinary, parses, onlyContent }: RabbitMqReading,
): Promise<Item> {
  const body = message.body ?? new Uint8Array();
  const facts = factsOf(message);
  if (isBinary) {
    const { contentType: mimeType } = message.properties;
    const data = await binary.store(body, { fileName: 'message', ...(mimeType && { mimeType }) });
    return { json: onlyContent ? {} : facts, binary: { data } };
  }
  const text = Buffer.from(body).toString();
  const content = parses ? await parsedOrText(text) : text;
  return { json: onlyContent ? alone(content) : { ...facts, content } };
}

function factsOf({ consumerTag, deliveryTag, redelivered, exchange, routingKey, properties }: AMQPMessage): JsonObject {
  return { fields: { consumerTag, deliveryTag, redelivered, exchange, routingKey }, properties: toJson(properties) };
}

function alone(content: JsonValue): JsonObject {
  return isJsonObject(content) ? content : { content };
}
