import { expect, test } from '@jest/globals';
import type { JsonValue } from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { runTools } from './run-tools.ts';

async function resultOf(output: JsonValue) {
  const tool = { name: 'a', description: '', inputSchema: { type: 'object' }, run: async () => output };
  const run = { tools: [tool], owner: 'w', signal: new AbortController().signal };
  const [result] = await runTools(run, [{ id: '1', name: 'a', input: {} }]);
  return result;
}

test('a large result is text, which every later call of the model repeats at little cost', async () => {
  const rows = Array.from({ length: 30_000 }, (_, id) => ({ id }));
  expect(await resultOf(rows)).toMatchObject({ output: JSON.stringify(rows) });
  expect(await resultOf([{ id: 1 }])).toMatchObject({ output: [{ id: 1 }] });
});

test.each([['text', 'x'.repeat(4_000_001)] as const, ['objects', Array.from({ length: 2_000_000 }, () => ({}))] as const])(
  'a result of too much %s is an error that the model sees',
  async (_, output) => {
    let result: unknown;
    expect(
      await longestBusy(async () => {
        result = await resultOf(output as JsonValue);
      }),
    ).toBeLessThan(250);
    expect(result).toMatchObject({ isError: true, output: expect.stringContaining('4000000 characters') });
  },
);
