import { expect, test } from '@jest/globals';
import { fakeContext } from '@sluice/nodes-base/testing';
import { mcpTriggerSpecs } from './mcp-trigger-spec.ts';

function serversOf(typeVersion: number, instructions: string) {
  const { node, parameter } = fakeContext({ parameters: { path: 'a', instructions } });
  const source = { node, typeVersion, parameter, workflow: { id: 'w', name: 'W', settings: {} } };
  return mcpTriggerSpecs(source).flatMap(({ mcp }) => mcp ?? []);
}

test.each([
  [2, 'Be brief', undefined],
  [2.1, ' ', undefined],
  [2.1, 'Be brief', 'Be brief'],
])('in version %d, the instructions %j become %j', (typeVersion, text, expected) => {
  expect(serversOf(typeVersion, text).map(({ instructions }) => instructions)).toEqual([expected, expected]);
});

test('overlong instructions are rejected, because the API keeps them in memory', () => {
  expect(() => serversOf(2.1, 'a'.repeat(200_000))).toThrow('"Instructions" may have at most 100000 characters, got 200000');
});
