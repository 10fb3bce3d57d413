import { type RunningProcess, type Settings, startApi, startWorker } from '../../e2e/harness.ts';
import { type Caller, callerOf } from '../../e2e/support/runs.ts';

/** Two API processes and two workers that share the given Postgres and Redis. */
interface SmallFleet {
  callers: readonly [Caller, Caller];
  processes: readonly RunningProcess[];
  stop(): Promise<void>;
}

const key = 'a-key-of-the-small-fleet-tests';

export async function startSmallFleet(stores: Settings, settings: Settings = {}): Promise<SmallFleet> {
  const all: Settings = { ...stores, BOOTSTRAP_API_KEY: key, LEASE_MS: '5000', SSRF_ALLOW: '127.0.0.1', ...settings };
  const processes: RunningProcess[] = [];
  const stop = async () => void (await Promise.allSettled(processes.map((one) => one.stop())));
  try {
    for (const start of [startApi, startApi, startWorker, startWorker]) processes.push(await start(all));
  } catch (error) {
    await stop();
    throw error;
  }
  const [first, second] = processes.map((one) => callerOf(one, key)) as [Caller, Caller];
  return { callers: [first, second], processes, stop };
}
