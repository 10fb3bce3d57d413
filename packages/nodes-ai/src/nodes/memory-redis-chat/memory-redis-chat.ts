import type { NodeType } from '@sluice/node-sdk';
import { number, numberParameter } from '@sluice/nodes-base/node-tools';
import { historyMemory } from '../../shared/history-memory.ts';
import { memoryProperties, sessionOf, windowOf } from '../../shared/memory-session.ts';
import { redisHistory } from './redis-history.ts';

/** Stores conversations in the user's Redis. */
export const memoryRedisChat: NodeType = {
  description: {
    displayName: 'Redis Chat Memory',
    name: 'memory-redis-chat',
    group: ['transform'],
    version: [1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6],
    description:
      'Remembers the text of conversations in Redis, in a list with the key of the session. Since version 1.6, a session of the item has the name of the node in its key, so that memories of other names do not share it',
    defaults: { name: 'Redis Chat Memory' },
    inputs: [],
    outputs: ['ai_memory'],
    credentials: [{ name: 'redis', required: true }],
    properties: [
      ...memoryProperties(),
      number(
        'sessionTTL',
        'Session Time To Live',
        0,
        'Seconds after its last message for which a conversation is kept; 0: no limit',
      ),
    ],
    icon: 'fa:database',
  },
  supply: (context, itemIndex) => {
    const session = sessionOf(context, itemIndex, 1.6);
    const ttlSeconds = Math.max(0, Math.trunc(numberParameter(context, 'sessionTTL', itemIndex, 0)));
    return historyMemory(redisHistory(context, session, ttlSeconds), windowOf(context, itemIndex));
  },
};
