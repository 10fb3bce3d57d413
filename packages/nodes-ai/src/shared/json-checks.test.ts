import { expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { checkJson } from './json-checks.ts';

/** Each member refers to the next one twice: checking takes 2^30 steps. */
function doubling(): JsonObject {
  const links = Array.from({ length: 30 }, (_, index): [string, JsonObject] => {
    const next = { $ref: `#/$defs/s${index + 1}` };
    return [`s${index}`, { allOf: [next, next] }];
  });
  return { $ref: '#/$defs/s0', $defs: { ...Object.fromEntries(links), s30: { type: 'string' } } };
}

const distinct: JsonValue = Array.from({ length: 20_000 }, (_, index) => ({ id: index }));
const hostile: [string, Parameters<typeof checkJson>[0]][] = [
  ['a schema whose references double', { schema: doubling(), value: 'x' }],
  ['distinct members of a long list', { schema: { uniqueItems: true }, value: distinct }],
  ['an answer full of quotes', { schema: {}, text: `[${'"a"b'.repeat(200_000)}` }],
];

// Work whose cost depends on untrusted input never blocks the event loop.
test.each(hostile)('%s does not block the event loop, and stops at the deadline', async (_, input) => {
  const call = { owner: { id: 'w1', projectId: 'p1' }, signal: new AbortController().signal, deadlineMs: 1_500 };
  const refused = () => expect(checkJson(input, call)).rejects.toThrow(/second|time|ms/);
  expect(await longestBusy(refused)).toBeLessThan(250);
});

test('a schema that refers to itself is an error', async () => {
  const check = checkJson(
    { schema: { $ref: '#' }, value: {} },
    { owner: { id: 'w1', projectId: 'p1' }, signal: new AbortController().signal },
  );
  await expect(check).rejects.toThrow('call stack');
});

test.each<[string, JsonValue | undefined, number]>([
  ['{"n": 1}', { n: 1 }, 0],
  ['Sure: {"output": {"n": 1}}', { n: 1 }, 0],
  ['{"n": "x"}', { n: 'x' }, 1],
  ['no JSON', undefined, 0],
])('%s', async (text, value, problems) => {
  const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  const check = await checkJson(
    { schema, text },
    { owner: { id: 'w1', projectId: 'p1' }, signal: new AbortController().signal },
  );
  expect(check.value).toEqual(value);
  expect(check.problems).toHaveLength(problems);
});
