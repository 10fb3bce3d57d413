import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findFreePort, makeRuntimeDirectory } from '@sluice/embedded';
import { eventually } from '@sluice/test-support';
import { endedBy } from './support/cleanup.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1] as string);
const isStart = (block: string) => block.startsWith('./dev start');
const isTest = (block: string) => block.startsWith('./dev test');
const isSetUp = (block: string) => block.startsWith('export ');

const ended = endedBy(afterAll);
let port: number;
let key: string;
let started: Awaited<ReturnType<typeof start>>;

beforeAll(async () => {
  assertInstalled();
  port = await findFreePort();
  started = ended(await start(blocks.find(isStart) as string));
  await eventually(() => /ready/.test(started.output()));
  key = /API key.*: (\S+)$/m.exec(started.output())?.[1] ?? '';
});

/** `./dev` installs missing or stale dependencies, which must not happen during the tests. */
function assertInstalled(): void {
  const stamp = join(root, 'node_modules', '.dev-stamp');
  const checksum = execFileSync('cksum', { input: readFileSync(join(root, 'package-lock.json')), encoding: 'utf8' });
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== checksum)
    throw new Error('not installed by ./dev: run `./dev test`');
}

/** Runs a block in the background, as in its own terminal, in a new home. */
async function start(block: string) {
  const home = await mkdtemp(join(tmpdir(), 'sluice-e2e-readme-'));
  const log = join(home, 'terminal');
  const descriptor = openSync(log, 'a');
  const child = spawn('sh', ['-euc', `exec ${block}`], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: String(port), SLUICE_HOME: home },
    stdio: ['ignore', descriptor, descriptor],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    output: () => readFileSync(log, 'utf8'),
    /** Ctrl-C. */
    interrupt: () => child.kill('SIGINT'),
    exited,
    async dispose() {
      child.kill('SIGTERM');
      await exited;
      await rm(await makeRuntimeDirectory(home), { recursive: true, force: true });
      await rm(home, { recursive: true, force: true });
    },
  };
}

/**
 * Runs a block unchanged, after the exports; resolves to the JSON that each of its `curl`s has
 * printed.
 */
// biome-ignore lint/suspicious/noExplicitAny: responses of any shape
async function runBlock(block: string): Promise<any[]> {
  const exports = blocks.filter(isSetUp).join('').replace('5678', String(port)).replace('paste-the-key-here', key);
  const lineAfterEach = 'curl() { command curl "$@"; echo; }\n';
  const { stdout } = await promisify(execFile)('sh', ['-euc', `${exports}${lineAfterEach}${block}`], { cwd: root });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/**
 * The responses of each block with a `curl`, in the order of the README, which depends on the ids
 * of executions.
 */
const responsesOf: { block: RegExp; responses: unknown[] }[] = [
  { block: /"id": "hello"/, responses: [{ id: 'hello', name: 'Hello', active: false }] },
  {
    block: /workflows\/hello\/run/,
    responses: [
      {
        executionId: '1',
        finished: true,
        status: 'success',
        data: { resultData: { runData: { Start: expect.anything(), Greet: [greeting('Hello from HELLO')] } } },
      },
    ],
  },
  {
    block: /executions\?workflowId=hello/,
    responses: [
      { data: [expect.objectContaining({ id: '1', status: 'success' })], nextCursor: null, count: 1 },
      { id: '1', status: 'success', data: { resultData: { runData: { Greet: [greeting('Hello from HELLO')] } } } },
    ],
  },
  {
    block: /"id": "slow"/,
    responses: [
      { id: 'slow' },
      { executionId: '2', finished: false },
      { id: '2', status: 'canceled', stoppedAt: expect.any(String) },
    ],
  },
  {
    block: /"id": "broken"/,
    responses: [
      { id: 'broken' },
      {
        executionId: '3',
        finished: true,
        status: 'error',
        data: { resultData: { lastNodeExecuted: 'Work', error: { message: 'not today', node: 'Work' } } },
      },
      { id: 'broken', nodes: [expect.anything(), expect.objectContaining({ type: 'base.no-op' })] },
      { workflowId: 'broken', status: 'running', mode: 'retry', retryOf: '3' },
    ],
  },
  { block: /"id": "double"/, responses: [{ id: 'double', active: false }, { id: 'double', active: true }, { twice: 42 }] },
];

function greeting(text: string): unknown {
  return expect.objectContaining({ data: { main: [[expect.objectContaining({ json: { greeting: text } })]] } });
}

test('`./dev start` prints the URL and, the first time, an API key', () => {
  expect(started.output()).toContain(`http://127.0.0.1:${port}/api/v1`);
  expect(key).toMatch(/^\S{20,}$/);
});

test('these tests cover every shell block', () => {
  const walked = blocks.filter((block) => !isStart(block) && !isTest(block) && !isSetUp(block));
  expect(walked.map((block) => responsesOf.findIndex((known) => known.block.test(block)))).toEqual(
    responsesOf.map((_, i) => i),
  );
  expect(blocks.filter(isStart)).toHaveLength(1);
  expect(blocks.filter(isSetUp)).toHaveLength(1);
});

test.each(responsesOf)('the block with $block has the documented responses', async ({ block, responses }) => {
  const text = blocks.find((candidate) => block.test(candidate)) as string;

  const received = await runBlock(text);

  expect(received).toMatchObject(responses);
});

test('the retry of the README succeeds, and its original refers to it', async () => {
  const block = 'curl -s "$URL/executions/3" -H "X-SERVICE-API-KEY: $KEY"';
  const retryId = await eventually(async () => {
    const [original] = await runBlock(block);
    if (original.retrySuccessId === null) throw new Error(`not retried yet: ${JSON.stringify(original)}`);
    return original.retrySuccessId;
  });
  const [retry] = await runBlock(block.replace('/3"', `/${retryId}"`));
  expect(retry).toMatchObject({ id: retryId, workflowId: 'broken', status: 'success', mode: 'retry', retryOf: '3' });
});

test('`./dev test` is a script', () => {
  expect(blocks.filter(isTest)).toEqual(['./dev test\n']);
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(scripts.test).toEqual(expect.any(String));
});

test('Ctrl-C stops everything', async () => {
  started.interrupt();

  expect(await started.exited).toBe(0);
  await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
});
