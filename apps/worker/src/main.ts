import { readEnv, toConfig } from '@sluice/config';
import { errorMessage } from '@sluice/domain';
import type { StrayErrors } from '@sluice/node-packages';
import { startWorker } from './worker.ts';

try {
  const watch = (strays: StrayErrors) => strays.listen(process, { end: () => process.exit(1) });
  const worker = await startWorker(toConfig(readEnv()), { watch });
  const stop = () => void worker.stop().then(() => process.exit(0));
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.on('disconnect', stop); // the parent that supervised us is gone
} catch (error) {
  process.stderr.write(`sluice worker cannot start: ${errorMessage(error)}\n`);
  process.exit(1);
}
