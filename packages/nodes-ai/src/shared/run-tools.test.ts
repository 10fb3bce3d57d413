import { expect, test } from '@jest/globals';
import type { JsonValue } from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { runTools } from './run-tools.ts';

async function resultOf(output: JsonValue) {
  const tool = { name: 'a', description: '', inputSchema: { type: 'object' }, run: async () => output };
  const run = { tools: [tool], owner: { id: 'w', projectId: 'p' }, signal: new AbortController().signal };
  const [result] = await runTools(run, [{ id: '1', name: 'a', input: {} }]);
  return result;
}

test('a large result is sent as text, which later model calls repeat at little cost', async () => {
  const rows = Array.from({ length: 30_000 }, (_, id) => ({ id }));
  expect(await resultOf(rows)).toMatchObject({ output: JSON.stringify(rows) });
  expect(await resultOf([{ id: 1 }])).toMatchObject({ output: [{ id: 1 }] });
});

test.each([['text', 'x'.repeat(4_000_001)] as const, ['objects', Array.from({ length: 2_000_000 }, () => ({}))] as const])(
  'a result with too much %s is an error that the model sees',
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

test('the tool names are read once for all calls in an answer', async () => {
  let reads = 0;
  const tools = Array.from({ length: 150 }, (_, index) => ({
    ...{ description: '', inputSchema: {}, run: async () => '' },
    get name() {
      reads += 1;
      return `tool_${index}`;
    },
  }));
  const calls = Array.from({ length: 1_000 }, (_, id) => ({ id: `${id}`, name: 'missing', input: {} }));
  const results = await runTools({ tools, owner: { id: 'w', projectId: 'p' }, signal: new AbortController().signal }, calls);
  expect(results).toHaveLength(1_000);
  expect(results[999]).toMatchObject({
    isError: true,
    output: expect.stringMatching(/"missing"\. Tools: tool_0, .*tool_99, …\.$/),
  });
  expect(reads).toBe(tools.length);
});

test('an answer with too many calls is an error, before any of them runs', async () => {
  let runs = 0;
  const run = async () => {
    runs += 1;
    return '';
  };
  const tools = [{ name: 'a', description: '', inputSchema: {}, run }];
  const calls = Array.from({ length: 1_001 }, (_, id) => ({ id: `${id}`, name: 'a', input: {} }));
  const running = runTools({ tools, owner: { id: 'w', projectId: 'p' }, signal: new AbortController().signal }, calls);
  await expect(running).rejects.toThrow('the model called 1001 tools at once, but 1000 are allowed');
  expect(runs).toBe(0);
});
