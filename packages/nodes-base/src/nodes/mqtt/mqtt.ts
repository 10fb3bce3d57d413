import { type ExecuteContext, NodeOperationError, type NodeType } from '@sluice/node-sdk';
import { openMqtt } from '../../clients/mqtt-client.ts';
import { messageProperties } from '../../shared/message-properties.ts';
import { messageText } from '../../shared/message-text.ts';
import { booleanParameter, numberParameter, requiredText } from '../../shared/parameters.ts';
import { choice, options, text, toggle } from '../../shared/properties.ts';
import { mapWithClient } from '../../shared/with-client.ts';

/** Publishes a message for each item over one connection per run, and passes the items on. */
export const mqtt: NodeType = {
  description: {
    displayName: 'MQTT',
    name: 'mqtt',
    group: ['input'],
    version: 1,
    description: 'Publishes messages to an MQTT broker',
    defaults: { name: 'MQTT' },
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: 'mqtt', required: true }],
    properties: [
      text('topic', 'Topic', 'Topic of the message', { required: true }),
      ...messageProperties(),
      options([
        choice(
          'qos',
          'QoS',
          [
            { value: 0, name: 'Received at Most Once' },
            { value: 1, name: 'Received at Least Once', description: 'Waits until the broker has it' },
            { value: 2, name: 'Exactly Once', description: 'Waits until the broker has it exactly once' },
          ],
          { description: 'Quality of service' },
        ),
        toggle('retain', 'Retain', 'Whether the broker keeps the message for later subscribers'),
      ]),
    ],
    icon: 'fa:tower-broadcast',
    iconColor: 'purple',
    subtitle: '={{ $parameter["topic"] }}',
  },
  async execute(context) {
    const items = await mapWithClient(context, {
      service: 'MQTT',
      open: async () => openMqtt(await context.credentials('mqtt', 0), context, context.signal),
      step: async (client, item, itemIndex) => {
        const retain = booleanParameter(context, 'options.retain', itemIndex, false);
        const message = await messageText(context, item, itemIndex);
        await client.publish(topicOf(context, itemIndex), message, { qos: qosOf(context, itemIndex), retain });
        return { ...item, pairedItem: { item: itemIndex } };
      },
      close: (client) => client.close(),
    });
    return [items];
  },
};

/** Rejects wildcards: a broker closes the connection for them, which would fail all later items. */
function topicOf(context: ExecuteContext, itemIndex: number): string {
  const topic = requiredText(context, 'topic', itemIndex);
  if (!/[#+\0]/.test(topic)) return topic;
  throw new NodeOperationError('the parameter "topic" must be a single topic without the wildcards # and +', {
    itemIndex,
    description: 'Send to each topic with a separate item',
  });
}

function qosOf(context: ExecuteContext, itemIndex: number): 0 | 1 | 2 {
  const qos = numberParameter(context, 'options.qos', itemIndex, 0);
  if (qos === 0 || qos === 1 || qos === 2) return qos;
  throw new NodeOperationError('the parameter "options.qos" must be 0, 1 or 2', {
    itemIndex,
    description: 'Choose a quality of service from the list',
  });
}
