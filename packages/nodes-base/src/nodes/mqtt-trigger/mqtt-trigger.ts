import type { JsonObject, ListenContext, NodeType } from '@sluice/node-sdk';
import { openMqtt } from '../../clients/mqtt-client.ts';
import { emitInOrder } from '../../shared/listening/emit-in-order.ts';
import { listenToBroker } from '../../shared/listening/listen-to-broker.ts';
import { jsonParseBody, onlyMessage, parallelProcessing } from '../../shared/listening/message-options.ts';
import { settledWithin } from '../../shared/listening/settled-within.ts';
import { booleanParameter, namesParameter } from '../../shared/parameters.ts';
import { parsedOrText } from '../../shared/parsed-or-text.ts';
import { names, options } from '../../shared/properties.ts';
import { mqttTopics } from './mqtt-topics.ts';

/** Starts with each message in its topics. */
export const mqttTrigger: NodeType = {
  description: {
    displayName: 'MQTT Trigger',
    name: 'mqtt-trigger',
    group: ['trigger'],
    version: 1,
    description:
      'Starts the workflow with each message in an MQTT broker’s topics. With a quality of service of 1 or 2, the broker redelivers a message until its execution is committed. To receive messages that arrive while no worker listens, set a client ID in the credential and disable `clean`',
    defaults: { name: 'MQTT Trigger' },
    inputs: [],
    outputs: ['main'],
    credentials: [{ name: 'mqtt', required: true }],
    properties: [
      names(
        'topics',
        'Topics',
        'Separated by commas; + matches one level, # at the end matches all levels. `:1` or `:2` after a topic requests that quality of service',
        { required: true },
      ),
      options([jsonParseBody, onlyMessage, parallelProcessing]),
    ],
    icon: 'fa:tower-broadcast',
    iconColor: 'purple',
    subtitle: '={{ $parameter["topics"] }}',
  },
  execute: (context) => [[...context.items()]],
  async trigger(context) {
    const topics = mqttTopics(namesParameter(context, 'topics', 0));
    const toJson = messageReader(context);
    const parallel = booleanParameter(context, 'options.parallelProcessing', 0, true);
    const take = async (topic: string, payload: Buffer) =>
      emitInOrder(context, [{ json: await toJson(topic, payload) }], { parallel });
    let taking: Promise<unknown> = Promise.resolve();
    const onMessage = async (topic: string, payload: Buffer) => {
      taking = take(topic, payload);
      await taking;
    };
    return listenToBroker(context, {
      service: 'MQTT',
      open: async (signal) => openMqtt(await context.credentials('mqtt', 0), context, signal, onMessage),
      subscribe: (client) => client.subscribe(topics),
      settled: () => settledWithin(taking),
    });
  },
};

function messageReader(context: ListenContext): (topic: string, payload: Buffer) => Promise<JsonObject> {
  const parses = booleanParameter(context, 'options.jsonParseBody', 0, false);
  const alone = booleanParameter(context, 'options.onlyMessage', 0, false);
  return async (topic, payload): Promise<JsonObject> => {
    const message = parses ? await parsedOrText(payload.toString()) : payload.toString();
    return alone ? { message } : { message, topic };
  };
}
