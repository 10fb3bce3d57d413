import { NodeOperationError, type NodeType } from '@sluice/node-sdk';
import { historyMemory } from '../../shared/history-memory.ts';
import { memoryProperties, sessionOf, windowOf } from '../../shared/memory-session.ts';

/** Stores conversations in the service's database. */
export const memoryBufferWindow: NodeType = {
  description: {
    displayName: 'Simple Memory',
    name: 'memory-buffer-window',
    group: ['transform'],
    version: [1, 1.1, 1.2, 1.3, 1.4],
    description:
      'Remembers the text of conversations. Until version 1.3, all memory nodes of this type in a workflow share the sessions; since then, only those whose key is defined. Limits are in the settings',
    defaults: { name: 'Simple Memory' },
    inputs: [],
    outputs: ['ai_memory'],
    properties: memoryProperties(),
    icon: 'fa:database',
  },
  supply: (context, itemIndex) => {
    const session = sessionOf(context, itemIndex, 1.4);
    const history = context.chatHistory?.(session);
    if (!history) throw new NodeOperationError('the memory needs a database, which this run does not have', { itemIndex });
    return historyMemory(history, windowOf(context, itemIndex));
  },
};
