import type { ExecuteContext, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, number, numberParameter, textParameter } from '@sluice/nodes-base/node-tools';
import type { ModelSettings } from '../adapter/sdk-language-model.ts';

const options = {
  temperature: number('temperature', 'Sampling Temperature', 0.7, 'Randomness of the answer; 0: least'),
  maxTokens: number('maxTokens', 'Maximum Number of Tokens', -1, 'Most tokens of the answer; -1: as the provider decides'),
  maxOutputTokens: number('maxOutputTokens', 'Maximum Number of Tokens', 2_048, 'Most tokens of the answer'),
  maxTokensToSample: number('maxTokensToSample', 'Maximum Number of Tokens', 4_096, 'Most tokens of the answer'),
  topP: number('topP', 'Top P', 1, 'Share of likely tokens that are considered'),
  topK: number('topK', 'Top K', -1, 'Number of likely tokens that are considered; -1: all'),
  frequencyPenalty: number('frequencyPenalty', 'Frequency Penalty', 0, 'Against repeated words'),
  presencePenalty: number('presencePenalty', 'Presence Penalty', 0, 'In favor of new topics'),
  randomSeed: number('randomSeed', 'Random Seed', 0, 'Calls with the same seed give similar answers'),
  responseFormat: choice(
    'responseFormat',
    'Response Format',
    choices(['text', 'Text'], ['json_object', 'JSON', 'The prompt must mention JSON']),
  ),
  timeout: number('timeout', 'Timeout', 60_000, 'Milliseconds until the whole answer has arrived'),
  maxRetries: number('maxRetries', 'Max Retries', 2, 'How often a call is repeated after an error that may pass'),
} satisfies Record<string, NodeProperty>;
type ChatOption = keyof typeof options;

const compatible = ['temperature', 'maxTokens', 'topP', 'frequencyPenalty', 'presencePenalty'] as const;

/**
 * Options of a chat model: the given ones (default: those of OpenAI-compatible services), plus
 * `timeout` and `maxRetries`.
 */
export function chatOptions(names: readonly ChatOption[] = compatible, more: readonly NodeProperty[] = []): NodeProperty[] {
  return [...names.map((name) => options[name]), ...more, options.timeout, options.maxRetries];
}

/** The values of `chatOptions` that are set. */
export function chatSettings(context: ExecuteContext, itemIndex: number): ModelSettings {
  const set = (name: ChatOption) => {
    const value = context.parameter<JsonValue>(`options.${name}`, itemIndex) ?? undefined;
    return value === undefined ? undefined : numberParameter(context, `options.${name}`, itemIndex, 0);
  };
  const positive = (value: number | undefined) => (value !== undefined && value > 0 ? value : undefined);
  const settings = {
    temperature: set('temperature'),
    topP: set('topP'),
    topK: positive(set('topK')),
    frequencyPenalty: set('frequencyPenalty'),
    presencePenalty: set('presencePenalty'),
    seed: set('randomSeed'),
    maxOutputTokens: positive(set('maxTokens') ?? set('maxOutputTokens') ?? set('maxTokensToSample')),
  };
  const present = Object.entries(settings).filter((entry): entry is [string, number] => entry[1] !== undefined);
  const isJson = textParameter(context, 'options.responseFormat', itemIndex, 'text') === 'json_object';
  return {
    ...Object.fromEntries(present),
    ...(isJson && { responseFormat: { type: 'json' } }),
    maxRetries: Math.min(Math.max(0, set('maxRetries') ?? 2), 10),
  };
}

/** The option `timeout`, in milliseconds. */
export function timeoutOf(context: ExecuteContext, itemIndex: number): number {
  return Math.max(1, numberParameter(context, 'options.timeout', itemIndex, 60_000));
}
