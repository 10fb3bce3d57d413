import type { ThreadTask } from '@sluice/nodes-base/node-tools';
import { located, type SplitOptions, splitText } from './split-text.ts';

/**
 * Chunks of text with their lines. A text of 8 MB takes seconds, so large texts are split on a
 * worker thread.
 */
export const task: ThreadTask<SplitOptions & { text: string }> = async function* ({ text, ...options }) {
  yield* located(text, splitText(text, options));
};
