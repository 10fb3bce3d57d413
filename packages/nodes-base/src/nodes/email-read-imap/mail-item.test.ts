import { expect, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import { memoryBinary } from '../../testing/memory-binary.ts';
import { mailItem } from './mail-item.ts';

const workflow = { id: 'w', projectId: 'p', name: 'w', active: false, timezone: 'UTC' };
const context = { workflow, binary: memoryBinary() };
const reading = { format: 'simple', withAttachments: false, prefix: '' } as const;

test('an email whose headers repeat one name does not block the event loop', async () => {
  const count = 100_000;
  const source = Buffer.from(`${'a:b\r\n'.repeat(count)}\r\n`);
  const busy = await longestBusy(async () => {
    const mail = { uid: 1, flags: [], source, isCut: false };
    const { json } = await mailItem({ ...context, signal: AbortSignal.timeout(60_000) }, mail, reading);
    expect(json).toMatchObject({ metadata: { a: { length: count } } });
  });
  expect(busy).toBeLessThan(250);
});
