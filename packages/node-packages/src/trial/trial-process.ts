import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { errorMessage } from '@sluice/domain';
import { realPath } from '../find-package-folders.ts';
import { Loading } from '../loading.ts';
import { packageOfStack } from '../stray-errors.ts';
import type { TrialJob, TrialMessage } from './trial-messages.ts';

/*
 * Loads packages to see whether that does any harm, in a process of its own that may come to grief of it. Whoever has started it knows by what was said
 * last which package that was.
 */

/** Time for what a package leaves behind to come up, in milliseconds. */
const aftermathMs = 10;

const [job] = (await once(process, 'message')) as [TrialJob];
const folders = new Map(await Promise.all(job.packages.map(async ({ path }) => [await realPath(path), path] as const)));
let current = '';

process.on('disconnect', () => process.exit());
process.on('unhandledRejection', stray);
process.on('uncaughtException', stray);
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const watchdog = new Worker(new URL(`./trial-watchdog.${extension}`, import.meta.url), { workerData: process.ppid });
await once(watchdog, 'online');

const loading = new Loading({ ...job, folder: job.root, allow: null });
for (const found of job.packages) {
  current = found.path;
  tell({ kind: 'begin', path: found.path });
  const before = loading.failures.length;
  await loading.add(found);
  await delay(aftermathMs);
  const failure = loading.failures[before];
  tell({ kind: 'end', path: found.path, ...(failure && { reason: failure.reason }) });
}
tell({ kind: 'done' });

function stray(error: unknown): void {
  const path = packageOfStack(error, folders) ?? current;
  const reason = `it lets go of an error while it is loaded: ${errorMessage(error)}`;
  process.send?.({ kind: 'stray', path, reason } satisfies TrialMessage, () => process.exit(1));
}

function tell(message: TrialMessage): void {
  process.send?.(message);
}
