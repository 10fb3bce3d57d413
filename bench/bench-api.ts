import { startApi } from '@sluice/api';
import { readEnv, toConfig } from '@sluice/config';
import { collectWhenAsked } from './collect-garbage.ts';

/** An API as it runs in production, which tells its parent the port. */
const api = await startApi(toConfig(readEnv()));
process.send?.(api.port);
if (globalThis.gc) collectWhenAsked();
process.on('SIGTERM', () => void api.stop().then(() => process.exit(0)));
