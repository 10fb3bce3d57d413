import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { FileReply, FileRequest, GuestResult, GuestTask, GuestThreadOptions } from '../protocol.ts';
import { GuestHost } from './guest-host.ts';

/* The program of each pool thread: it keeps a guest ready and runs one call at a time. */
const options = workerData as GuestThreadOptions;
// On Linux, this is the thread's priority; elsewhere it would be the process's.
if (options.lowPriority && process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const host = await GuestHost.create(options);

let onFile: ((reply: FileReply) => void) | undefined;

function readFile(fileId: string): Promise<FileReply> {
  const { promise, resolve } = Promise.withResolvers<FileReply>();
  onFile = resolve;
  parentPort?.postMessage({ fileId } satisfies FileRequest);
  return promise;
}

parentPort?.on('message', (message: GuestTask | FileReply) => {
  if ('call' in message) void run(message);
  else onFile?.(message);
});
parentPort?.postMessage('ready');

async function run(task: GuestTask): Promise<void> {
  const before = process.threadCpuUsage();
  const result = await host.run(task, readFile);
  const { user, system } = process.threadCpuUsage(before);
  parentPort?.postMessage({ ...result, cpuMs: (user + system) / 1_000 } satisfies GuestResult);
  await host.recycle();
}
