import { parentPort, workerData } from 'node:worker_threads';
import { GuestHost } from './guest-host.ts';
import type { GuestCall, GuestThreadOptions } from './protocol.ts';

/* What runs in each thread of the pool: it keeps a guest ready and answers one call after the other. */
const host = await GuestHost.create(workerData as GuestThreadOptions);

parentPort?.on('message', async (call: GuestCall) => {
  parentPort?.postMessage(await host.run(call));
  await host.recycle();
});
parentPort?.postMessage('ready');
