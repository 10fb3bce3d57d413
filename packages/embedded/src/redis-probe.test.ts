import { expect, test } from '@jest/globals';
import { watchForLeaks } from '@sluice/test-support';
import { probeRedis } from './redis-probe.ts';

test('a probe that fails does not delay the exit of the process', async () => {
  const assertNoLeaks = watchForLeaks();
  await expect(probeRedis('redis://127.0.0.1:1')).rejects.toThrow();
  await assertNoLeaks({ timeoutMs: 500 });
});
