import { write } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { WorkerLeaseRepository } from '@sluice/db/worker-lease-repository';
import { createLogger } from '@sluice/logger';
import { InFlight } from './in-flight.ts';
import { monotonicMs, signs, type ThreadData, type ThreadMessage } from './protocol.ts';
import { StallClock } from './stall-clock.ts';

/*
 * Renews the lease while the event loop responds or has responded within `stallMs`; after that it
 * kills the process. Only a thread can: a stuck event loop runs neither timers nor signal handlers.
 */

const { name, logLevel, stallMs, lease, ...shared } = workerData as ThreadData;
const cells = new BigInt64Array(shared.signs);
const inFlight = new InFlight(shared.inFlight.fields, shared.inFlight.memory);
const workerLeases = lease && new WorkerLeaseRepository(lease.databaseUrl, lease.terms);
const checkMs = Math.min(1_000, stallMs / 4, ...(workerLeases ? [workerLeases.beatMs] : []));
const clock = new StallClock(checkMs);

/** Maximum number of entries of work in flight in a log line. */
const maxListed = 20;
/**
 * Milliseconds to wait for a log line to be written: the reader of the output may be stuck, too.
 */
const logPatienceMs = 1_000;

let workerId: string | null = null;
let endAt = Number.POSITIVE_INFINITY;
let renewedAt = Number.NEGATIVE_INFINITY;

parentPort?.on('message', (message: ThreadMessage) => {
  if ('workerId' in message) workerId = message.workerId;
  else endAt = monotonicMs() + message.endWithinMs;
});
const checks = setInterval(check, checkMs);

function check(): void {
  const now = monotonicMs();
  const silentMs = clock.check(Atomics.load(cells, signs.pulse), now);
  if (now > endAt) void end({}, 'the process has not stopped in time; killing it');
  else if (silentMs >= stallMs)
    void end({ silentMs: Math.round(silentMs) }, 'the event loop does not respond; killing the process');
  else if (workerLeases && workerId !== null && now - renewedAt >= workerLeases.beatMs)
    void renew(workerLeases, workerId, silentMs > 0);
}

/** A failure is not logged: the next beat tries again, and the event loop's own renewal logs it. */
async function renew(workerLeases: WorkerLeaseRepository, workerId: string, isSilent: boolean): Promise<void> {
  const before = renewedAt;
  const now = monotonicMs();
  renewedAt = now;
  const isRenewed = await workerLeases.renew(workerId, { sources: isSilent });
  if (!isRenewed) renewedAt = before;
  else if (isSilent) Atomics.store(cells, signs.renewedAt, BigInt(now));
}

async function end(fields: object, message: string): Promise<void> {
  clearInterval(checks);
  const running = inFlight.list();
  const lines: string[] = [];
  const logger = createLogger({ name, level: logLevel, destination: { write: (line) => void lines.push(line) } });
  // The latest entry is usually the blocking code, so the log line names it.
  logger.fatal({ ...fields, ...running[0], inFlight: running.length, running: running.slice(0, maxListed) }, message);
  await Promise.race([promisify(write)(1, lines.join('')).catch(() => undefined), delay(logPatienceMs)]);
  process.kill(process.pid, 'SIGKILL'); // `process.exit` would end this thread alone
}
