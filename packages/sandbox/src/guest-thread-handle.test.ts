import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';
import { threadFlags } from './guest-thread-handle.ts';

test('a thread of a checkout that nobody has built finds workspace packages as sources', async () => {
  const code = `require('node:worker_threads').parentPort.postMessage(require.resolve('@sluice/domain'))`;
  const thread = new Worker(code, { eval: true, env: {}, execArgv: [...threadFlags] });

  const [file] = await once(thread, 'message');

  expect(file).toMatch(/domain\/src\/index\.ts$/);
});
