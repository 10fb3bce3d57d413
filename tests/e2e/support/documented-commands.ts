import { execFileSync, spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeRuntimeDirectory } from '@sluice/embedded';

/** Root of the checkout. */
export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Content of the document at a path in the checkout. */
export function documentAt(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Shell blocks of a document, in order. */
export function shellBlocks(document: string): string[] {
  return [...document.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1] as string);
}

/** `./dev` installs missing or stale dependencies, which must not happen during the tests. */
export function assertInstalled(): void {
  const stamp = join(root, 'node_modules', '.dev-stamp');
  const checksum = execFileSync('cksum', { input: readFileSync(join(root, 'package-lock.json')), encoding: 'utf8' });
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== checksum)
    throw new Error('not installed by ./dev: run `./dev test`');
}

/**
 * Runs a block that ends with `./dev start` in the background, with a new `SLUICE_HOME`, as in a
 * separate terminal.
 */
export async function startDocumented(block: string, variables: Readonly<Record<string, string>>) {
  const home = await mkdtemp(join(tmpdir(), 'sluice-e2e-docs-'));
  const log = join(home, 'terminal');
  const descriptor = openSync(log, 'a');
  const child = spawn('sh', ['-euc', block.replace('./dev start', 'exec ./dev start')], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], SLUICE_HOME: home, ...variables },
    stdio: ['ignore', descriptor, descriptor],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const output = () => readFileSync(log, 'utf8');
  return {
    output,
    /** The API key that the first start prints. */
    key: () => /API key.*: (\S+)$/m.exec(output())?.[1] ?? '',
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
