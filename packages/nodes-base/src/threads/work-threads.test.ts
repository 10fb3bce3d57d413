import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const workThreads = new URL('./work-threads.ts', import.meta.url).href;

/** Exits with status 3 if it still runs when all work is done. */
const program = (module: string) => `
  import { runOnThread } from ${JSON.stringify(workThreads)};
  const options = { owner: { id: 'w', projectId: 'p' }, size: 0, signal: new AbortController().signal };
  console.log(...await runOnThread(${JSON.stringify(module)}, 'a result', options));
  setTimeout(() => process.exit(3), 5_000).unref();`;

test('an idle thread does not keep the process alive, and library output is discarded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-thread-'));
  const module = join(folder, 'task.mjs');
  await writeFile(
    module,
    `export async function* task(input) {
      console.log('output'), console.error('output'), await new Promise((done) => process.stdout.write('output', done));
      yield input;
    }`,
  );
  const flags = ['--conditions=source', '--input-type=module', '--eval', program(pathToFileURL(module).href)];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, flags, { cwd: new URL('.', import.meta.url) });
  await rm(folder, { recursive: true });
  expect([stdout, stderr]).toEqual(['a result\n', '']);
});

/**
 * Prints `ready` when its thread has started, and then the result of a task that computes for a
 * moment.
 */
const slowProgram = (module: string) => `
  import { runOnThread } from ${JSON.stringify(workThreads)};
  const options = { owner: { id: 'w', projectId: 'p' }, size: 0, signal: new AbortController().signal, deadlineMs: 3_000 };
  await runOnThread(${JSON.stringify(module)}, 0, options);
  const result = runOnThread(${JSON.stringify(module)}, 50, options);
  console.log('ready');
  console.log(...await result.catch(String));`;

test('time in which the machine does not run the process does not count toward the deadline', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-thread-'));
  const module = join(folder, 'task.mjs');
  await writeFile(
    module,
    `export async function* task(ms) {
      const { user } = process.threadCpuUsage();
      while (process.threadCpuUsage().user - user < ms * 1_000);
      yield 'a result';
    }`,
  );
  const flags = ['--conditions=source', '--input-type=module', '--eval', slowProgram(pathToFileURL(module).href)];
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'readable');
  child.kill('SIGSTOP');
  await delay(3_200);
  child.kill('SIGCONT');
  expect(await text(child.stdout)).toBe('ready\na result\n');
  await rm(folder, { recursive: true });
});
