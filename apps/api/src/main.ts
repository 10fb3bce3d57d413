import { readEnv, toConfig } from '@sluice/config';
import { errorMessage } from '@sluice/domain';
import type { StrayErrors } from '@sluice/node-packages';
import { startApi } from './api.ts';
import { untilReady } from './health/until-ready.ts';

try {
  const showKey = (key: string) => process.stdout.write(`first API key, shown only now: ${key}\n`);
  const watch = (strays: StrayErrors) => strays.listen(process, { end: () => process.exit(1), atRejections: true });
  const api = await startApi(toConfig(readEnv()), { showKey, watch });
  const stopping = new AbortController();
  const stop = () => {
    stopping.abort();
    void api.stop().then(() => process.exit(0));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.on('disconnect', stop); // the parent that supervised us is gone
  await untilReady(api.context, stopping.signal);
} catch (error) {
  process.stderr.write(`sluice api cannot start: ${errorMessage(error)}\n`);
  process.exit(1);
}
