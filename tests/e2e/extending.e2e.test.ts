import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { findFreePort } from '@sluice/embedded';
import { eventually } from '@sluice/test-support';
import { stopIn } from './support/cleanup.ts';
import { assertInstalled, documentAt, root, shellBlocks, startDocumented } from './support/documented-commands.ts';

const stopAfterAll = stopIn(afterAll);
const [, tutorial = ''] = /^## Tutorial\n(.*?)^## /ms.exec(documentAt('docs/extending.md')) ?? [];
const blocks = shellBlocks(tutorial);
const startAt = blocks.findIndex((block) => block.includes('./dev start'));

assertInstalled();
const home = await mkdtemp(join(tmpdir(), 'sluice-e2e-extending-'));
afterAll(() => rm(home, { recursive: true, force: true }));

/** Runs blocks unchanged in one shell. */
async function run(script: string): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: home, SLUICE_HOME: join(home, '.sluice') };
  return (await promisify(execFile)('sh', ['-euc', script], { cwd: root, env })).stdout;
}

test('the commands of the tutorial work in order', async () => {
  const output = await run(blocks.slice(0, startAt).join('\n'));
  expect(output).toContain('each item becomes its text in upper case');
  expect(output).toContain('sluice-nodes-acme is a valid package');
  const port = await findFreePort();
  const started = stopAfterAll(
    await startDocumented(blocks[startAt] as string, { HOME: home, SLUICE: root, PORT: String(port) }),
  );
  await eventually(() => /ready/.test(started.output()));
  const calls = blocks.slice(startAt + 1).join('\n');
  const response = await run(calls.replace('5678', String(port)).replace('paste-the-key-here', started.key()));
  expect(response).toContain('"text":"SHOUTING"');
});
