import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@sluice/test-support';

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
let project: string;
/** Environment of a strict run. */
let strict: { STRICT_TESTS?: string };

/** Creates a package whose tests record their runs in the file `runs`. */
beforeEach(() => {
  strict = {};
  project = mkdtempSync(join(realpathSync(tmpdir()), 'run-tests-'));
  const jest = { testEnvironment: 'node', transform: {}, globalSetup: '<rootDir>/set-up.cjs', testMatch: ['**/*.test.cjs'] };
  const scripts = { jest: `node ${fileOf('../node_modules/jest/bin/jest.js')}` };
  write('package.json', JSON.stringify({ name: 'tested', scripts, jest }));
  write('set-up.cjs', 'module.exports = () => {};');
  write('steady.test.cjs', testThat('passes', ''));
});
afterEach(() => rmSync(project, { recursive: true }));

function write(name: string, content: string): void {
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), content);
}

function testThat(name: string, body: string): string {
  return `const fs = require('node:fs');
test('${name}', async () => {
  const runs = (fs.existsSync('runs') ? fs.readFileSync('runs', 'utf8') : '').split('\\n').filter((run) => run === '${name}').length;
  fs.appendFileSync('runs', '${name}\\n');
  ${body}
});`;
}

function runs(): string[] {
  const path = join(project, 'runs');
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').sort() : [];
}

function start(...args: string[]) {
  const { NODE_OPTIONS: _, STRICT_TESTS: __, ...inherited } = process.env;
  const env = { ...inherited, ...strict };
  const child = spawn(process.execPath, [fileOf('run-tests.ts'), ...args], { cwd: project, env });
  const ended = Promise.all([once(child, 'close'), text(child.stderr), text(child.stdout)]);
  return { child, ended: ended.then(([[exitCode], errors]) => ({ exitCode, errors })) };
}

const failsOnce = testThat('fails once', 'expect(runs).toBeGreaterThan(0);');
const failsAlways = testThat('fails always', 'expect(runs).toBe(-1);');

test('passing tests run once', async () => {
  const { exitCode, errors } = await start().ended;
  expect(exitCode).toBe(0);
  expect(errors).not.toContain('UNSTEADY');
  expect(runs()).toEqual(['passes']);
});

test('a run with tests that fail once passes and lists them', async () => {
  write('unsteady.test.cjs', failsOnce);
  const { exitCode, errors } = await start().ended;
  expect(exitCode).toBe(0);
  expect(errors).toMatch(/UNSTEADY: 1 test file .*\n\n {2}unsteady\.test\.cjs\n {4}› fails once\n/);
  expect(runs()).toEqual(['fails once', 'fails once', 'passes']);
});

test('tests that fail once fail a strict run', async () => {
  write('unsteady.test.cjs', failsOnce);
  strict = { STRICT_TESTS: '1' };
  const { exitCode, errors } = await start().ended;
  expect([exitCode, errors]).toEqual([1, expect.stringContaining('UNSTEADY: 1 test file')]);
});

test('tests that fail again fail the run', async () => {
  write('unsteady.test.cjs', failsOnce);
  write('broken.test.cjs', failsAlways);
  const { exitCode, errors } = await start().ended;
  expect(exitCode).toBe(1);
  expect(errors).not.toContain('UNSTEADY');
  expect(runs()).toEqual(['fails always', 'fails always', 'fails once', 'fails once', 'passes']);
});

test('arguments are passed to Jest', async () => {
  write('broken.test.cjs', failsAlways);
  const { exitCode } = await start('--testPathPatterns', 'steady', '-t', 'no such test').ended;
  expect(exitCode).toBe(0);
  expect(runs()).toEqual([]);
});

test('long tests run only with --all or by name', async () => {
  write('tests/e2e/chaos.test.cjs', testThat('takes long', ''));
  await start().ended;
  expect(runs()).toEqual(['passes']);
  await start('tests/e2e/chaos').ended;
  expect(runs()).toEqual(['passes', 'takes long']);
  const { exitCode } = await start('--all').ended;
  expect([exitCode, runs()]).toEqual([0, ['passes', 'passes', 'takes long', 'takes long']]);
});

test('a file that cannot be loaded and a missing snapshot fail the run', async () => {
  write('broken.test.cjs', `require('./nothing.cjs');`);
  write('snapshot.test.cjs', testThat('has no snapshot', 'expect(1).toMatchSnapshot();'));
  const { exitCode } = await start('--ci').ended;
  expect(exitCode).toBe(1);
  expect(existsSync(join(project, '__snapshots__'))).toBe(false);
});

test('a run whose setup fails is not repeated', async () => {
  write(
    'set-up.cjs',
    `require('node:fs').appendFileSync('runs', 'set-up\\n'); module.exports = () => { throw new Error('no services'); };`,
  );
  const { exitCode, errors } = await start().ended;
  expect(exitCode).toBe(1);
  expect(errors).toContain('no services');
  expect(runs()).toEqual(['set-up']);
});

test('a run with --bail fails without a repetition', async () => {
  write('unsteady.test.cjs', failsOnce);
  const { exitCode } = await start('--bail', '--runInBand').ended;
  expect(exitCode).toBe(1);
  expect(runs().filter((run) => run === 'fails once')).toHaveLength(1);
});

test('an interrupted run fails without a repetition', async () => {
  write('unsteady.test.cjs', failsOnce);
  write('endless.test.cjs', testThat('hangs', 'await new Promise((resolve) => setTimeout(resolve, 2 ** 30));'));
  const { child, ended } = start('--runInBand');
  await eventually(() => expect(runs()).toContain('hangs'));
  child.kill('SIGTERM');
  const { exitCode } = await ended;
  expect(exitCode).toBeGreaterThan(0);
  expect(runs().filter((run) => run === 'hangs')).toHaveLength(1);
});
