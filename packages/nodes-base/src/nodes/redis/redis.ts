import type { ExecuteContext, NodeType } from '@sluice/node-sdk';
import type { Redis } from 'ioredis';
import { openRedis } from '../../clients/redis-client.ts';
import { meterStream, type ReadStream } from '../../shared/byte-budget.ts';
import { choiceParameter } from '../../shared/parameters.ts';
import { mapWithClient } from '../../shared/with-client.ts';
import { operationNames, operations } from './redis-operations.ts';
import { redisProperties } from './redis-properties.ts';

/** Reads and writes Redis keys over one connection per run. */
export const redis: NodeType = {
  description: {
    displayName: 'Redis',
    name: 'redis',
    group: ['input'],
    version: 1,
    description: 'Reads, writes, and publishes data in Redis',
    defaults: { name: 'Redis' },
    usableAsTool: true,
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: 'redis', required: true }],
    properties: redisProperties,
    icon: 'fa:database',
    iconColor: 'red',
    subtitle: '={{ $parameter["operation"] }}',
  },
  async execute(context) {
    const items = await mapWithClient(context, {
      service: 'Redis',
      open: () => openMetered(context),
      step: ({ client, tooLarge }, item, itemIndex) => {
        const operation = operations[choiceParameter(context, 'operation', itemIndex, operationNames, 'info')];
        return Promise.race([operation({ client, context, item, itemIndex }), tooLarge]);
      },
      close: ({ client }) => client.disconnect(),
    });
    return [items];
  },
};

/** A client, and a promise that rejects when it exceeds its byte budget. */
interface MeteredRedis {
  client: Redis;
  tooLarge: Promise<never>;
}

async function openMetered(context: ExecuteContext): Promise<MeteredRedis> {
  const client = await openRedis(await context.credentials('redis', 0), context, context.signal);
  return { client, tooLarge: meterStream((client as Redis & { stream: ReadStream }).stream) };
}
