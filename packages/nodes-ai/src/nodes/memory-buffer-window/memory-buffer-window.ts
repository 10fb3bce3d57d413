import type { Memory, NodeType } from '@sluice/node-sdk';
import { ChatSessions } from '../../shared/chat-sessions.ts';
import { memoryProperties, sessionOf, windowOf } from '../../shared/memory-session.ts';

const sessions = new ChatSessions();

/** Remembers conversations in the memory of the worker. */
export const memoryBufferWindow: NodeType = {
  description: {
    displayName: 'Simple Memory',
    name: 'memory-buffer-window',
    group: ['transform'],
    version: [1, 1.1, 1.2, 1.3],
    description: 'Remembers a conversation in the worker: other workers do not have it, and a restart ends it',
    defaults: { name: 'Simple Memory' },
    inputs: [],
    outputs: ['ai_memory'],
    properties: memoryProperties(),
    icon: 'fa:database',
  },
  supply: (context, itemIndex): Memory => {
    const session = sessionOf(context, itemIndex, context.typeVersion < 1.1 ? 'chat_history' : '');
    const key = JSON.stringify([context.workflow.id, context.node.name, session]);
    const length = windowOf(context, itemIndex);
    return {
      load: async () => (length === 0 ? [] : sessions.read(key).slice(-length)),
      append: async (messages) => sessions.append(key, messages),
      clear: async () => sessions.clear(key),
    };
  },
};
