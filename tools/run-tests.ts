/**
 * `./dev test`: runs Jest with the given arguments, through the script `jest` of the package in the
 * working directory. Without arguments, runs all files except `longTests`; `--all` includes these.
 * Failed test files run once more, one at a time. If all of them then pass, the run passes and
 * lists them as unsteady; they still have to be fixed. With `STRICT_TESTS=1`, as in hosted CI,
 * unsteady files fail the run. A run without results (failed setup, interruption) fails without a
 * second run.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { longTests } from './long-tests.ts';

/** The part of Jest's `--json` output that is needed here. */
interface Results {
  numTotalTestSuites: number;
  wasInterrupted: boolean;
  testResults: { name: string; status: string; assertionResults: { fullName: string; status: string }[] }[];
}

interface Run {
  exitCode: number;
  /** `undefined` if Jest exited before it had run every file. */
  results?: Results | undefined;
}

/**
 * A worker with a larger heap is replaced before its next file. A new worker costs less than
 * scanning the remains of earlier files, which the garbage collector does whenever a test has used
 * large buffers.
 */
const workerMemory = '512MB';

const directory = mkdtempSync(join(tmpdir(), 'sluice-tests-'));
try {
  process.exitCode = await runTests(process.argv.slice(2));
} finally {
  rmSync(directory, { recursive: true });
}

async function runTests(args: string[]): Promise<number> {
  const selection = args.length === 0 ? withoutLongTests() : args.filter((arg) => arg !== '--all');
  const first = await jest([`--workerIdleMemoryLimit=${workerMemory}`, ...selection], 'first.json');
  const failed = (first.results?.testResults ?? []).filter(({ status }) => status === 'failed');
  if (first.exitCode === 0 || failed.length === 0) return first.exitCode;
  const files = failed.map(({ name }) => name);
  say(`${count(files.length)} failed; running them again, one at a time:`, ...failed.map(described));
  // Without the given arguments, which may exclude files. `--ci` keeps Jest from writing snapshots
  // that were missing in the first run.
  const second = await jest(['--ci', '--maxWorkers=1', '--runTestsByPath', ...files], 'second.json');
  if (second.exitCode !== 0) return second.exitCode;
  if (second.results?.testResults.length !== files.length) return first.exitCode;
  say(
    `UNSTEADY: ${count(files.length)} failed at first, and passed in a second run. Such a test, or the code that it tests, depends on timing or order:`,
  );
  say(...failed.map(described));
  return process.env['STRICT_TESTS'] === '1' ? 1 : 0;
}

function withoutLongTests(): string[] {
  say('skipping long tests; `./dev test --all` includes them');
  const patterns = Object.entries(longTests).map(([folder, names]) => `/${folder}/(?:${names.join('|')})\\.`);
  return patterns.flatMap((pattern) => ['--testPathIgnorePatterns', pattern]);
}

/** Runs Jest, which writes to the output of this process. */
async function jest(args: readonly string[], outputFile: string): Promise<Run> {
  const path = join(directory, outputFile);
  const script = ['run', '--silent', 'jest', '--', '--json', `--outputFile=${path}`, ...args];
  const child = spawn('npm', script, { stdio: 'inherit' });
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, forward);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.once('error', reject);
  child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));
  const exitCode = await promise;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, forward);
  return { exitCode, results: resultsIn(path) };
}

function resultsIn(path: string): Results | undefined {
  try {
    const results = JSON.parse(readFileSync(path, 'utf8')) as Results;
    const isComplete = !results.wasInterrupted && results.testResults.length === results.numTotalTestSuites;
    return isComplete ? results : undefined;
  } catch {
    return undefined;
  }
}

function described({ name, assertionResults }: Results['testResults'][number]): string {
  const tests = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => `\n    › ${fullName}`);
  return `  ${relative(process.cwd(), name)}${tests.join('')}`;
}

function count(files: number): string {
  return files === 1 ? '1 test file' : `${files} test files`;
}

function say(...lines: string[]): void {
  console.error(['', ...lines].join('\n'));
}
