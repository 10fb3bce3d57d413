import { startApi } from '@sluice/api';
import { readEnv, toConfig } from '@sluice/config';
import { collectWhenAsked } from './collect-garbage.ts';

/** An API as in production, which reports its port to its parent. */
const api = await startApi(toConfig(readEnv()));
process.send?.(api.port);
if (globalThis.gc) collectWhenAsked();
process.on('SIGTERM', () => void api.stop().then(() => process.exit(0)));
