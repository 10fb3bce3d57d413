import type { ExecuteContext, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { number, numberParameter } from '@sluice/nodes-base/node-tools';
import type { ModelSettings } from '../adapter/sdk-language-model.ts';

/** Options that most chat models have. */
export const chatOptions = (): NodeProperty[] => [
  number('temperature', 'Sampling Temperature', 0.7, 'Randomness of the answer; 0: least'),
  number('maxTokens', 'Maximum Number of Tokens', -1, 'Most tokens of the answer; -1: as the provider decides'),
  number('topP', 'Top P', 1, 'Share of likely tokens that are considered'),
  number('frequencyPenalty', 'Frequency Penalty', 0, 'Against repeated words'),
  number('presencePenalty', 'Presence Penalty', 0, 'In favor of new topics'),
  number('timeout', 'Timeout', 60_000, 'Milliseconds until the whole answer has arrived'),
  number('maxRetries', 'Max Retries', 2, 'How often a call is repeated after an error that may pass'),
];

/** The values of `chatOptions` that are set. */
export function chatSettings(context: ExecuteContext, itemIndex: number): ModelSettings {
  const set = (name: string) => {
    const value = context.parameter<JsonValue>(`options.${name}`, itemIndex) ?? undefined;
    return value === undefined ? undefined : numberParameter(context, `options.${name}`, itemIndex, 0);
  };
  const maxTokens = set('maxTokens') ?? -1;
  const settings = {
    temperature: set('temperature'),
    topP: set('topP'),
    frequencyPenalty: set('frequencyPenalty'),
    presencePenalty: set('presencePenalty'),
    maxOutputTokens: maxTokens > 0 ? maxTokens : undefined,
  };
  const present = Object.entries(settings).filter((entry): entry is [string, number] => entry[1] !== undefined);
  return { ...Object.fromEntries(present), maxRetries: Math.min(Math.max(0, set('maxRetries') ?? 2), 10) };
}

/** The option `timeout`, in milliseconds. */
export function timeoutOf(context: ExecuteContext, itemIndex: number): number {
  return Math.max(1, numberParameter(context, 'options.timeout', itemIndex, 60_000));
}
