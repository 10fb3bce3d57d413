import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { findFreePort } from '@sluice/embedded';
import { eventually } from '@sluice/test-support';
import { stopIn } from './support/cleanup.ts';
import { assertInstalled, documentAt, root, shellBlocks, startDocumented } from './support/documented-commands.ts';

const readme = documentAt('README.md');
const blocks = shellBlocks(readme);
const isStart = (block: string) => block.startsWith('./dev start');
const isTest = (block: string) => block.startsWith('./dev test');
const isSetUp = (block: string) => block.startsWith('export URL');

const stopAfterAll = stopIn(afterAll);

assertInstalled();
const port = await findFreePort();
const started = stopAfterAll(await startDocumented(blocks.find(isStart) as string, { PORT: String(port) }));
await eventually(() => /ready/.test(started.output()));
const key = started.key();

/** Shell blocks of the walkthrough in order, with the output that the README shows below each. */
const walkthrough = [...readme.matchAll(/^```sh\n(.*?)^```$(?:\n\n```json\n(.*?)^```$)?/gms)]
  .map(([, block = '', shown]) => ({ block, shown }))
  .filter(({ block }) => !isStart(block) && !isTest(block) && !isSetUp(block));

/**
 * Runs the exports and the whole walkthrough unchanged in one shell. Resolves to the output of each
 * block.
 */
async function runWalkthrough(): Promise<string[]> {
  const exports = blocks.filter(isSetUp).join('').replace('5678', String(port)).replace('paste-the-key-here', key);
  const end = '\n--- end of a block ---\n';
  const script = walkthrough.map(({ block }) => `${block}printf '${end.replaceAll('\n', '\\n')}'\n`).join('');
  const { stdout } = await promisify(execFile)('sh', ['-euc', `${exports}${script}`], { cwd: root });
  return stdout.split(end).slice(0, -1);
}

/** Members whose values differ between runs. */
const changing = /^(id|executionId|retryOf|stoppedAt|startedAt|count|nextCursor)$/;

function expected(response: unknown, name = ''): unknown {
  if (changing.test(name)) return response === null ? null : expect.any(response?.constructor as never);
  if (Array.isArray(response)) return response.map((entry) => expected(entry));
  if (typeof response !== 'object' || response === null) return response;
  const members = Object.entries(response).map(([key, member]) => [key, expected(member, key)]);
  return expect.objectContaining(Object.fromEntries(members));
}

test('`./dev start` prints the URL and, the first time, an API key', () => {
  expect(started.output()).toContain(`http://127.0.0.1:${port}/api/v1`);
  expect(started.output()).toContain('owner@localhost');
  expect(key).toMatch(/^\S{20,}$/);
});

test('one block starts the service, and one sets the variables', () => {
  expect(blocks.filter(isStart)).toHaveLength(1);
  expect(blocks.filter(isSetUp)).toHaveLength(1);
});

test.each(['first', 'second'])('in the %s walkthrough, every block prints the output that the README shows', async () => {
  const outputs = await runWalkthrough();
  expect(outputs).toHaveLength(walkthrough.length);
  for (const [i, { block, shown: documented }] of walkthrough.entries()) {
    const output = outputs[i]?.trim() ?? '';
    if (documented === undefined) expect([block, output]).toEqual([block, '']);
    else expect([block, JSON.parse(output)]).toEqual([block, expected(JSON.parse(documented))]);
  }
});

test('the retry in the README succeeds, and the original execution refers to it', async () => {
  const call = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, { headers: { 'X-SERVICE-API-KEY': key } });
    // biome-ignore lint/suspicious/noExplicitAny: responses of any shape
    return (await response.json()) as any;
  };
  const { data } = await call('/executions?status=error&limit=2');
  expect(data).toHaveLength(2); // one per walkthrough
  for (const { id } of data) {
    const retryId = await eventually(async () => (await call(`/executions/${id}`)).retrySuccessId ?? false);
    expect(await call(`/executions/${retryId}`)).toMatchObject({ status: 'success', mode: 'retry', retryOf: id });
  }
});

test('`./dev test` is a script', () => {
  expect(blocks.filter(isTest)).toEqual(['./dev test\n']);
  const { scripts } = JSON.parse(documentAt('package.json'));
  expect(scripts.test).toEqual(expect.any(String));
});

test('Ctrl-C stops everything', async () => {
  started.interrupt();

  expect(await started.exited).toBe(0);
  await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
});
