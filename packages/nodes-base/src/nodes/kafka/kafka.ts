import type { ExecuteContext, JsonValue, NodeType, UnsupportedUse } from '@sluice/node-sdk';
import type { IHeaders } from 'kafkajs';
import { openKafka } from '../../clients/kafka-client.ts';
import { coercedText } from '../../shared/coerced-text.ts';
import { messageText } from '../../shared/message-text.ts';
import {
  booleanParameter,
  listParameter,
  objectParameter,
  refuseUnsupported,
  requiredText,
  textParameter,
} from '../../shared/parameters.ts';
import { wholeNumber } from '../../shared/whole-number.ts';
import { mapWithClient } from '../../shared/with-client.ts';
import { kafkaProperties } from './kafka-properties.ts';

/** Milliseconds; the library waits at most 30 seconds. */
const timeoutRange = { from: 1, to: 30_000 };

const unsupportedUses: readonly UnsupportedUse[] = [
  { parameter: 'useSchemaRegistry', what: 'a schema registry', hint: 'Send JSON' },
];

/**
 * Sends a message for each item to a topic over one client per run, and waits for the
 * acknowledgment.
 */
export const kafka: NodeType = {
  description: {
    displayName: 'Kafka',
    name: 'kafka',
    group: ['transform'],
    version: 1,
    description: 'Sends messages to a Kafka topic',
    defaults: { name: 'Kafka' },
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: 'kafka', required: true }],
    properties: kafkaProperties,
    icon: 'fa:stream',
    iconColor: 'gray',
    subtitle: '={{ $parameter["topic"] }}',
  },
  unsupported: unsupportedUses,
  async execute(context) {
    const items = await mapWithClient(context, {
      service: 'Kafka',
      open: async () => openKafka(await context.credentials('kafka', 0), context, context.signal),
      step: async (client, item, itemIndex) => {
        refuseUnsupported(context, unsupportedUses, itemIndex);
        const message = {
          key: keyOf(context, itemIndex),
          value: await messageText(context, item, itemIndex),
          headers: headersOf(context, itemIndex),
        };
        const json = await client.send(requiredText(context, 'topic', itemIndex), message, {
          allReplicas: booleanParameter(context, 'options.acks', itemIndex, false),
          gzip: booleanParameter(context, 'options.compression', itemIndex, false),
          timeoutMs: wholeNumber(context, 'options.timeout', 30_000, timeoutRange, itemIndex),
        });
        return { json, pairedItem: { item: itemIndex } };
      },
      close: (client) => client.close(),
    });
    return [items];
  },
};

function keyOf(context: ExecuteContext, itemIndex: number): string | null {
  return booleanParameter(context, 'callKey', itemIndex, false) ? textParameter(context, 'key', itemIndex) : null;
}

function headersOf(context: ExecuteContext, itemIndex: number): IHeaders {
  const entries: [string, JsonValue | undefined][] = booleanParameter(context, 'jsonParameters', itemIndex, false)
    ? Object.entries(objectParameter(context, 'headerParametersJson', itemIndex))
    : listParameter(context, 'headersUi.headerValues', itemIndex).map(({ key, value }) => [coercedText(key), value]);
  return Object.fromEntries(entries.map(([name, value]) => [name, headerText(value ?? '')]));
}

function headerText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
