import type { NodeType, UnsupportedUse } from '@sluice/node-sdk';
import { openRabbitMq } from '../../clients/rabbitmq-client.ts';
import { messageText } from '../../shared/message-text.ts';
import { choiceParameter, refuseUnsupported } from '../../shared/parameters.ts';
import { mapWithClient } from '../../shared/with-client.ts';
import { rabbitmqProperties } from './rabbitmq-properties.ts';
import { sendingOf } from './sending.ts';

const unsupportedUses: readonly UnsupportedUse[] = [
  { parameter: 'operation', values: ['deleteMessage'], what: 'deleting from a queue', hint: 'Only sending is' },
];

/**
 * Sends a message for each item to a queue or an exchange over one connection per run, and waits
 * for the broker's confirmation.
 */
export const rabbitmq: NodeType = {
  description: {
    displayName: 'RabbitMQ',
    name: 'rabbitmq',
    group: ['transform'],
    version: [1, 1.1],
    description: 'Sends messages to RabbitMQ and other AMQP 0-9-1 brokers',
    defaults: { name: 'RabbitMQ' },
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: 'rabbitmq', required: true }],
    properties: rabbitmqProperties,
    icon: 'fa:envelopes-bulk',
    iconColor: 'orange',
    subtitle: '={{ $parameter["mode"] }}',
  },
  unsupported: unsupportedUses,
  async execute(context) {
    const declared = new Set<string>();
    const items = await mapWithClient(context, {
      service: 'RabbitMQ',
      open: async () => openRabbitMq(await context.credentials('rabbitmq', 0), context, context.signal),
      step: async (client, item, itemIndex) => {
        refuseUnsupported(context, unsupportedUses, itemIndex);
        choiceParameter(context, 'operation', itemIndex, ['sendMessage'], 'sendMessage');
        const sending = sendingOf(context, itemIndex);
        if (!declared.has(sending.declaration)) {
          await client.ask(sending.declare);
          declared.add(sending.declaration);
        }
        const message = await messageText(context, item, itemIndex);
        await client.ask((channel) => channel.basicPublish(sending.exchange, sending.routingKey, message, sending.properties));
        return { json: { success: true }, pairedItem: { item: itemIndex } };
      },
      close: (client) => client.close(),
    });
    return [items];
  },
};
