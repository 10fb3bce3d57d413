import { expect, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import { fakeContext } from '../testing/fake-context.ts';
import { messageText } from './message-text.ts';

test('serializes a large item in time slices', async () => {
  const json = { list: Array.from({ length: 3_000_000 }, () => ({})) };
  let text = '';
  const stall = await longestBusy(async () => (text = await messageText(fakeContext({ parameters: {} }), { json }, 0)));
  expect(stall).toBeLessThan(250);
  expect(text).toHaveLength(JSON.stringify(json).length);
});
