import { expect, test } from '@jest/globals';
import { toNodeOutput } from './to-node-output.ts';

const ports = { binary: { store: () => Promise.reject(new Error('the test has no files')) } };
const circle: Record<string, unknown> = {};
circle['self'] = circle;

test.each([
  ['a number of another kind', { n: 1n }],
  ['a circle', circle],
])('data that JSON has no form for are an error that says where they are: %s', async (_, json) => {
  const given = [[{ json: {} }], [{ json: {} }, { json }]];
  const message = expect.stringMatching(/^output 1, item 1: its data are no JSON \([^\n]+\)$/);
  await expect(toNodeOutput(given, ports)).rejects.toMatchObject({ message });
});
