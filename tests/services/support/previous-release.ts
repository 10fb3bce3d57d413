import { execFileSync } from 'node:child_process';
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readHostEnvironment } from '@sluice/config';
import { runCommand } from '@sluice/embedded';

/** The checkout of an earlier release, which runs from its sources. */
interface PreviousRelease {
  name: string;
  /** Entry point of its command line. */
  program: string[];
}

const installTimeoutMs = 600_000;

/**
 * Checks out and installs, once per commit, the release of the newest tag that the current commit
 * contains, or the commit in `SLUICE_PREVIOUS`. If there is no tag, prints that and resolves to
 * `undefined`.
 */
export async function previousRelease(): Promise<PreviousRelease | undefined> {
  const name = process.env['SLUICE_PREVIOUS'] ?? newestTag();
  if (name === undefined) {
    process.stderr.write('SKIPPED: tests of rolling upgrades, because no tag of an earlier release exists\n');
    return undefined;
  }
  const commit = git('rev-parse', '--short=12', `${name}^{commit}`);
  const parent = join(readHostEnvironment().cacheDir, 'releases');
  const folder = join(parent, commit);
  const cli = join(folder, 'apps/cli/src/main.ts');
  const program = ['--conditions=source', cli];
  if (await exists(join(folder, 'node_modules'))) return { name, program };
  await mkdir(parent, { recursive: true });
  if (!(await exists(cli))) git('worktree', 'add', '--force', '--detach', folder, commit);
  await runCommand('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, timeoutMs: installTimeoutMs });
  return { name, program };
}

function newestTag(): string | undefined {
  try {
    return git('describe', '--tags', '--abbrev=0', '--match', 'v*');
  } catch {
    return undefined;
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
