import type { LanguageModelV4Content, LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider';
import { expect, test } from '@jest/globals';
import { toModelResult } from './to-result.ts';

const finish: LanguageModelV4FinishReason = { unified: 'stop', raw: 'stop' };
const usage: LanguageModelV4Usage = {
  inputTokens: { total: 1, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: undefined, reasoning: undefined },
};
const thought = (text: string): LanguageModelV4Content => ({ type: 'reasoning', text });
const call = (providerExecuted: boolean): LanguageModelV4Content => ({
  ...{ type: 'tool-call', toolCallId: 'c', toolName: 't', input: '{}' },
  providerExecuted,
});
const keptParts = (...content: LanguageModelV4Content[]) =>
  toModelResult(content, finish, usage).content.map((part) => (part.type === 'reasoning' ? part.text : part.type));

test('only reasoning that led to a provider-run call is omitted', () => {
  expect(keptParts(thought('a'), thought('b'), call(true), thought('c'), call(false), thought('d'))).toEqual([
    'c',
    'toolCall',
    'd',
  ]);
});

// Searching for the end of the reasoning from each part takes longer than the test timeout.
test('an answer may contain hundreds of thousands of reasoning parts', () => {
  const thoughts = Array.from({ length: 500_000 }, () => thought(''));
  expect(keptParts(...thoughts.slice(0, 10), call(true))).toEqual([]);
  expect(toModelResult(thoughts, finish, usage).content).toHaveLength(500_000);
});

test('call arguments are JSON, or text that is invalid or too long to parse at once', () => {
  const inputOf = (input: string) =>
    toModelResult([{ type: 'tool-call', toolCallId: 'c', toolName: 't', input }], finish, usage).toolCalls[0]?.input;
  const long = JSON.stringify(['x'.repeat(1_000_000)]);
  expect(['{"a":1}', ' ', '{"a":', long].map(inputOf)).toEqual([{ a: 1 }, {}, '{"a":', long]);
});
