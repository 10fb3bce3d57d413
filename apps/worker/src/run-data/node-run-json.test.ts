import { expect, test } from '@jest/globals';
import type { NodeRunRecord } from '@sluice/domain';
import { longestBusy } from '@sluice/test-support';
import { SecretScrubber } from '@sluice/vault';
import { NodeRunJson } from './node-run-json.ts';

const limits = { nodeRunMaxBytes: 16 * 1024 * 1024, executionMaxBytes: 128 * 1024 * 1024 };

function recordOf(value: unknown): NodeRunRecord {
  const data = { main: [[{ json: { value } }]] } as NonNullable<NodeRunRecord['run']['data']>;
  return { nodeName: 'N', runIndex: 0, run: { startTime: 0, executionTime: 0, executionStatus: 'success', source: [], data } };
}

test.each([
  ['with one long string', 'x'.repeat(16_000_000)],
  ['with many objects', Array.from({ length: 1_000_000 }, () => ({ a: 1 }))],
])('a large node run %s does not block the event loop', async (_, value) => {
  const json = new NodeRunJson({ limits, bytes: 0, scrubber: new SecretScrubber() });
  const record = recordOf(value);
  let text: unknown;
  const busy = await longestBusy(async () => {
    text = await json.of(record);
  });
  expect(text).toBe(JSON.stringify(record.run));
  expect(busy).toBeLessThan(250);
});

test('a large node run that is nested too deeply is rejected like a small one', async () => {
  const json = new NodeRunJson({ limits, bytes: 0, scrubber: new SecretScrubber() });
  let deep: unknown = 1;
  for (let level = 0; level < 600; level++) deep = [deep];
  for (const value of [deep, ['x'.repeat(1_200_000), deep]])
    expect(await json.of(recordOf(value))).toMatchObject({ code: expect.stringContaining('DEEP') });
});

test('a value that many items share is not serialized beyond the limit', async () => {
  const json = new NodeRunJson({ limits, bytes: 0, scrubber: new SecretScrubber() });
  const shared = 'x'.repeat(1_000_000);
  const before = process.memoryUsage().rss;
  const result = await json.of(recordOf(Array.from({ length: 400 }, () => shared)));
  expect(result).toMatchObject({
    code: 'RUN_DATA_TOO_LARGE',
    message: `more than ${limits.nodeRunMaxBytes} bytes of output of node "N" exceed the limit of ${limits.nodeRunMaxBytes} bytes`,
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
});
