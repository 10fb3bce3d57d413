import type { ChatHistory, RememberedMessage } from '@sluice/node-sdk';

/** Conversations of a workflow, in memory. */
export function memoryChats(): (session: string) => ChatHistory {
  const sessions = new Map<string, RememberedMessage[]>();
  return (session) => {
    const messages = sessions.get(session) ?? [];
    sessions.set(session, messages);
    return {
      load: async (limit) => (limit === undefined ? [...messages] : messages.slice(-limit)),
      append: async (added) => void messages.push(...added),
      clear: async (last) => void messages.splice(last === undefined ? 0 : Math.max(0, messages.length - last)),
    };
  };
}
