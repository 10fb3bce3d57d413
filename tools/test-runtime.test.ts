import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
let project: string;

/** Creates a project whose test files run in one process, in the order of their names. */
beforeEach(() => {
  project = mkdtempSync(join(realpathSync(tmpdir()), 'test-runtime-'));
  const jest = {
    testEnvironment: fileOf('test-environment.ts'),
    runtime: fileOf('test-runtime.ts'),
    injectGlobals: false,
    testSequencer: '<rootDir>/by-name.cjs',
    transform: {},
    testMatch: ['**/*.test.mjs'],
  };
  write('package.json', JSON.stringify({ name: 'tested', jest }));
  write(
    'by-name.cjs',
    `const { default: Sequencer } = require('${fileOf('../node_modules/@jest/test-sequencer/build/index.js')}');`,
    'module.exports = class extends Sequencer {',
    '  sort = (tests) => tests.toSorted((a, b) => a.path.localeCompare(b.path));',
    '};',
  );
  write('module.mjs', 'export const files = [];');
});
afterEach(() => rmSync(project, { recursive: true }));

function write(name: string, ...lines: string[]): void {
  writeFileSync(join(project, name), lines.join('\n'));
}

function run(...names: string[]) {
  const paths = names.map((name) => join(project, name));
  const args = [fileOf('../node_modules/jest/bin/jest.js'), '--runInBand', '--json', '--runTestsByPath', ...paths];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, FORCE_COLOR: '0' },
  });
  const { testResults } = JSON.parse(stdout) as {
    testResults: { assertionResults: { title: string; status: string }[] }[];
  };
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  return { tests: Object.fromEntries(results.map(({ title, status }) => [title, status])), stderr };
}

const first = [
  "import { jest, test } from '@jest/globals';",
  "import { files } from './module.mjs';",
  'jest.setTimeout(60_000);',
  "test('first', () => {",
  "  files.push('first');",
  "  process.env.LEFT = 'left';",
  '  delete process.env.PATH;',
  '  jest.useFakeTimers({ now: 0 });',
  "  jest.spyOn(process, 'cwd').mockReturnValue('/nowhere');",
  '});',
];

test('modules stay loaded between files, but changes that a file makes to the process are undone', () => {
  const assertions = [
    "expect(files).toEqual(['first'])",
    'expect(process.env.LEFT).toBeUndefined()',
    'expect(process.env.PATH).toBeDefined()',
    'expect(Date.now()).toBeGreaterThan(1e12)',
    "expect(process.cwd()).not.toBe('/nowhere')",
    "expect(Object.getOwnPropertySymbols(globalThis).map(String)).not.toContain('Symbol(TEST_TIMEOUT_SYMBOL)')",
  ];
  const imports = ["import { expect, test } from '@jest/globals';", "import { files } from './module.mjs';"];
  write('first.test.mjs', ...first);
  write('second.test.mjs', ...imports, "test('second', () => {", ...assertions, '});');
  const { tests, stderr } = run('first.test.mjs', 'second.test.mjs');
  expect([tests, stderr]).toEqual([{ first: 'passed', second: 'passed' }, expect.not.stringContaining('●')]);
});

test('a module that stays loaded registers hooks in the test file that calls it', () => {
  write(
    'module.mjs',
    "import { afterAll } from '@jest/globals';",
    'export const ended = [];',
    'export const record = (name) => afterAll(() => void ended.push(name));',
  );
  const file = (name: string, expected: string[]) => [
    "import { expect, test } from '@jest/globals';",
    "import { ended, record } from './module.mjs';",
    `record('${name}');`,
    `test('${name}', () => expect(ended).toEqual(${JSON.stringify(expected)}));`,
  ];
  write('a.test.mjs', ...file('a', []));
  write('b.test.mjs', ...file('b', ['a']));
  write('c.test.mjs', ...file('c', ['a', 'b']));
  expect(run('a.test.mjs', 'b.test.mjs', 'c.test.mjs').tests).toEqual({ a: 'passed', b: 'passed', c: 'passed' });
});

test('a failure is reported with file and line; a test that hangs times out', () => {
  const lines = ["import { expect, test } from '@jest/globals';", "test('fails', () => {", '  expect(1).toBe(2);', '});'];
  write('fails.test.mjs', ...lines, "test('hangs', () => new Promise(() => {}), 10);");
  const { tests, stderr } = run('fails.test.mjs');
  expect(tests).toEqual({ fails: 'failed', hangs: 'failed' });
  expect(stderr).toMatch(/> 3 \| {3}expect\(1\)\.toBe\(2\);/);
  expect(stderr).toMatch(/fails\.test\.mjs:3:/);
  expect(stderr).toMatch(/Exceeded timeout of 10 ms for a test/);
});

test('a row of `test.each` with too few values fails', () => {
  const lines = ["import { test } from '@jest/globals';", "test.each([['a', 1], ['b']])('%s', (name, value) => {});"];
  write('rows.test.mjs', ...lines);
  const { tests, stderr } = run('rows.test.mjs');
  expect(tests).toEqual({ a: 'passed', b: 'failed' });
  expect(stderr).toContain('the test has more parameters than values');
});
