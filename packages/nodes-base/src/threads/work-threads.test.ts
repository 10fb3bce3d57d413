import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
