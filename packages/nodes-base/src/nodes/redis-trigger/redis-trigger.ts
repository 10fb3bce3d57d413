import type { Socket } from 'node:net';
import { type Item, type ListenContext, NodeOperationError, type NodeType } from '@sluice/node-sdk';
import type { Redis } from 'ioredis';
import { openRedis } from '../../clients/redis-client.ts';
import { connectionFailed } from '../../shared/connection-failed.ts';
import { closedByServer } from '../../shared/listening/closed-by-server.ts';
import { EventQueue } from '../../shared/listening/event-queue.ts';
import { jsonParseBody, onlyMessage } from '../../shared/listening/message-options.ts';
import { meterMessages } from '../../shared/listening/meter-messages.ts';
import { oneByOne } from '../../shared/listening/one-by-one.ts';
import { whileOpening } from '../../shared/listening/while-opening.ts';
import { booleanParameter, namesParameter } from '../../shared/parameters.ts';
import { parsedOrText } from '../../shared/parsed-or-text.ts';
import { names, options } from '../../shared/properties.ts';

/** Starts with each message on its channels. */
export const redisTrigger: NodeType = {
  description: {
    displayName: 'Redis Trigger',
    name: 'redis-trigger',
    group: ['trigger'],
    version: 1,
    description:
      'Starts the workflow with each message published to Redis channels. Redis stores no messages: messages published while no worker listens, such as during a takeover, are lost',
    defaults: { name: 'Redis Trigger' },
    inputs: [],
    outputs: ['main'],
    credentials: [{ name: 'redis', required: true }],
    properties: [
      names('channels', 'Channels', 'Separated by commas; * matches any string, ? any character, [ab] one of a set', {
        required: true,
      }),
      options([jsonParseBody, onlyMessage]),
    ],
    icon: 'fa:database',
    iconColor: 'red',
    subtitle: '={{ $parameter["channels"] }}',
  },
  execute: (context) => [[...context.items()]],
  async trigger(context) {
    const channels = channelsOf(context);
    const read = messageReader(context);
    const toItems = oneByOne(({ channel, message }: { channel: string; message: string }) => read(channel, message));
    const client = await whileOpening(context.signal, async (signal) =>
      openRedis(await context.credentials('redis', 0), context, signal),
    ).catch((error: unknown) => Promise.reject(connectionFailed(error, 'Redis')));
    const queue = new EventQueue(context);
    const { stream } = client as Redis & { stream: Socket };
    const budget = meterMessages(stream, context);
    client.on('pmessage', (_pattern: string, channel: string, message: string) => {
      budget.refill();
      queue.push(toItems({ channel, message }), message.length);
    });
    const onEnd = () => context.failed(closedByServer());
    client.once('end', onEnd);
    try {
      await client.psubscribe(...channels);
    } catch (error) {
      client.off('end', onEnd);
      client.disconnect();
      throw connectionFailed(error, 'Redis');
    }
    return {
      async close() {
        client.off('end', onEnd);
        await queue.drained();
        client.disconnect();
      },
    };
  },
};

const maxChannels = 1_000;

function channelsOf(context: ListenContext): string[] {
  const channels = namesParameter(context, 'channels', 0);
  if (channels.length > 0 && channels.length <= maxChannels) return channels;
  throw new NodeOperationError(`the parameter "channels" must name between one and ${maxChannels} channels`, {
    description: 'Separate channels by commas; a wildcard (*) covers many',
  });
}

function messageReader(context: ListenContext): (channel: string, message: string) => Promise<Item[]> {
  const parses = booleanParameter(context, 'options.jsonParseBody', 0, false);
  const alone = booleanParameter(context, 'options.onlyMessage', 0, false);
  return async (channel, text): Promise<Item[]> => {
    const message = parses ? await parsedOrText(text) : text;
    return [{ json: alone ? { message } : { channel, message } }];
  };
}
