import { readEnv, toConfig } from '@sluice/config';
import { startWorker } from '@sluice/worker';
import { collectWhenAsked } from './collect-garbage.ts';

/** A worker as in production, which sends `ready` to its parent. */
const worker = await startWorker(toConfig(readEnv()));
process.send?.('ready');
if (globalThis.gc) collectWhenAsked();
process.on('SIGTERM', () => void worker.stop().then(() => process.exit(0)));
