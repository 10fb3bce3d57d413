import type { NodeType } from '@sluice/node-sdk';
import { requiredText, text } from '@sluice/nodes-base/node-tools';
import { historyMemory } from '../../shared/history-memory.ts';
import { memoryProperties, sessionOf, windowOf } from '../../shared/memory-session.ts';
import { postgresHistory } from './postgres-history.ts';

/** Stores conversations in a table of the user's Postgres. */
export const memoryPostgresChat: NodeType = {
  description: {
    displayName: 'Postgres Chat Memory',
    name: 'memory-postgres-chat',
    group: ['transform'],
    version: [1, 1.1, 1.2, 1.3, 1.4],
    description:
      'Remembers the text of conversations in a table of Postgres. A missing table is created with the columns `id`, `session_id`, and `message`. Since version 1.4, a session of the item has the name of the node in its key, so that memories of other names do not share it',
    defaults: { name: 'Postgres Chat Memory' },
    inputs: [],
    outputs: ['ai_memory'],
    credentials: [{ name: 'postgres', required: true }],
    properties: [
      ...memoryProperties(),
      text('tableName', 'Table Name', 'May begin with a schema', { default: 'n8n_chat_histories' }),
    ],
    icon: 'fa:database',
  },
  supply: (context, itemIndex) => {
    const session = sessionOf(context, itemIndex, 1.4);
    const table = requiredText(context, 'tableName', itemIndex, 'n8n_chat_histories');
    return historyMemory(postgresHistory(context, table, session), windowOf(context, itemIndex));
  },
};
