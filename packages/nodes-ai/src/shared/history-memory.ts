import { type ChatHistory, type ChatMessage, type Memory, type RememberedMessage, textOf } from '@sluice/node-sdk';

/** The memory of a conversation, of which a model receives the newest `window` messages. */
export function historyMemory(history: ChatHistory, window: number): Memory {
  return {
    load: async ({ all }, signal) => {
      if (all === true) return history.load(undefined, signal);
      return window === 0 ? [] : history.load(window, signal);
    },
    append: (messages, signal) => history.append(messages.flatMap(remembered), signal),
    clear: ({ last }, signal) => history.clear(typeof last === 'number' ? last : undefined, signal),
  };
}

/** Tool calls, their results, and files are not stored. */
function remembered({ role, content }: ChatMessage): RememberedMessage[] {
  const text = textOf({ content });
  return role === 'tool' || text === '' ? [] : [{ role, content: text }];
}
