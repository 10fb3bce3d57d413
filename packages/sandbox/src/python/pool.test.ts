import { expect, test } from '@jest/globals';
import { MemoryBudget } from '@sluice/domain';
import { PythonPool } from './pool.ts';

const mib = 1024 * 1024;
const never = new AbortController().signal;
const call = { run: 'code', image: 'plain', request: '', leaves: [], timeoutMs: 1_000 } as const;
const origin = { projectId: 'p', workflowId: 'w', nodeName: 'Code' };

test('a call that is aborted while it waits for memory leaves that memory to others', async () => {
  const budget = new MemoryBudget({ limit: 100 * mib, inUse: () => 1 });
  const [full, listener] = [budget.open(never), budget.open(never, { isEndless: true })];
  full.retain(40 * mib);
  expect(full.reserveResult(mib)).toBeUndefined();
  const pool = new PythonPool({ memoryMb: 32 });
  const stop = new AbortController();
  const aborted = listener.run(() => pool.run(call, origin, stop.signal));
  await new Promise(setImmediate);
  stop.abort(new Error('stopped'));
  full[Symbol.dispose]();
  await expect(aborted).rejects.toThrow('stopped');
  expect([listener.size, listener.isComputing]).toEqual([0, false]);
  await pool.close();
});
