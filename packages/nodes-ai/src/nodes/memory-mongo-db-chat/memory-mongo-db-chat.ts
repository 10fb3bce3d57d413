import type { NodeType } from '@sluice/node-sdk';
import { text } from '@sluice/nodes-base/node-tools';
import { historyMemory } from '../../shared/history-memory.ts';
import { memoryProperties, sessionOf, windowOf } from '../../shared/memory-session.ts';
import { defaultCollection, mongoHistory } from './mongo-history.ts';

/** Stores conversations in the user's MongoDB. */
export const memoryMongoDbChat: NodeType = {
  description: {
    displayName: 'MongoDB Chat Memory',
    name: 'memory-mongo-db-chat',
    group: ['transform'],
    version: [1],
    description: 'Stores conversation text in MongoDB, with one document per session',
    defaults: { name: 'MongoDB Chat Memory' },
    inputs: [],
    outputs: ['ai_memory'],
    credentials: [{ name: 'mongoDb', required: true }],
    properties: [
      ...memoryProperties(),
      text('collectionName', 'Collection Name', 'Collection of the conversations; MongoDB creates it', {
        default: defaultCollection,
      }),
      text('databaseName', 'Database Name', 'Database of the collection; empty: that of the credential'),
    ],
    icon: 'fa:database',
  },
  supply: (context, itemIndex) => {
    const session = sessionOf(context, itemIndex, Number.POSITIVE_INFINITY, 1);
    return historyMemory(mongoHistory(context, itemIndex, session), windowOf(context, itemIndex));
  },
};
