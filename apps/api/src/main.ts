import { readEnv, toConfig } from '@sluice/config';
import { errorMessage } from '@sluice/domain';
import { startApi } from './api.ts';
import { untilReady } from './health/until-ready.ts';

try {
  const showKey = (key: string) => process.stdout.write(`first API key, shown only now: ${key}\n`);
  const api = await startApi(toConfig(readEnv()), { showKey });
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
