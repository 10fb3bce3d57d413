import type { NodeProperty } from '@sluice/node-sdk';
import { number } from '@sluice/nodes-base/node-tools';

export const temperature = number('temperature', 'Sampling Temperature', 1, 'Randomness of the answer; 0: least');
export const topP = number('topP', 'Top P', 1, 'Share of likely tokens that are considered');

/** Options of all models that complete text or a chat. */
export const completionOptions: readonly NodeProperty[] = [
  number('frequencyPenalty', 'Frequency Penalty', 0, 'Lowers the likelihood of repeated words, if positive'),
  number('maxTokens', 'Maximum Number of Tokens', 16, 'Maximum number of tokens in the answer'),
  number('n', 'Number of Completions', 1, 'Number of answers to output'),
  number('presencePenalty', 'Presence Penalty', 0, 'Raises the likelihood of new topics, if positive'),
  temperature,
  topP,
];
