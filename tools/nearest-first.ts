import { execFileSync } from 'node:child_process';
import { Sequencer, type TestFile, type Tests } from './mixed-load.ts';

/** Total duration of the tests that four workers on two cores run in half a minute. */
const budgetMs = 100_000;
/** Assumed duration of a file that has not run on this machine. */
const unknownMs = 2_000;

/**
 * For `./dev test --changed`: runs the test files nearest to the changes first, and skips files
 * that do not fit in half a minute.
 */
export default class NearestFirst extends Sequencer {
  override async sort(tests: Tests): Promise<Tests> {
    const sorted = nearest(await super.sort(tests), changedFiles(), budgetMs);
    const skipped = tests.length - sorted.length;
    if (skipped > 0)
      process.stderr.write(`running the ${sorted.length} test files nearest to the changes; skipping ${skipped}\n`);
    return sorted;
  }
}

/**
 * Returns the files that share the most leading folders with a changed file, the fastest first,
 * until the budget is used up. Never skips a changed test file.
 */
export function nearest<T extends TestFile>(tests: readonly T[], changed: readonly string[], budget: number): T[] {
  const rated = tests.map((test) => ({
    test,
    depth: Math.max(0, ...changed.map((file) => sharedDepth(test.path, file))),
    duration: test.duration ?? unknownMs,
  }));
  rated.sort((a, b) => b.depth - a.depth || a.duration - b.duration);
  let remaining = budget;
  const chosen = rated.filter(({ test, duration }) => {
    if (duration > remaining && !changed.includes(test.path)) return false;
    remaining -= duration;
    return true;
  });
  return chosen.map(({ test }) => test);
}

/** Number of equal leading path segments. */
function sharedDepth(one: string, other: string): number {
  const parts = other.split('/');
  const different = one.split('/').findIndex((part, index) => part !== parts[index]);
  return different === -1 ? parts.length : different;
}

/** Absolute paths of new files and of files that differ from the branch `main`. */
function changedFiles(): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trimEnd().split('\n');
  const root = git('rev-parse', '--show-toplevel')[0] ?? '';
  const base = git('merge-base', 'main', 'HEAD')[0] ?? '';
  const files = [
    ...git('diff', '--name-only', base),
    ...git('ls-files', '--others', '--exclude-standard', '--full-name', root),
  ];
  return files.filter((file) => file !== '').map((file) => `${root}/${file}`);
}
