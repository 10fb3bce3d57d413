import { readEnv, toConfig } from '@sluice/config';
import { errorMessage } from '@sluice/domain';
import { startWorker } from './worker.ts';

try {
  const worker = await startWorker(toConfig(readEnv()));
  const stop = () => void worker.stop().then(() => process.exit(0));
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.on('disconnect', stop); // the parent that supervised us is gone
} catch (error) {
  process.stderr.write(`sluice worker cannot start: ${errorMessage(error)}\n`);
  process.exit(1);
}
