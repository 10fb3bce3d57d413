import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostEnvironment } from '@sluice/config';
import { findProgram } from './find-program.ts';
import type { RedisProgram } from './redis-program.ts';
import { runCommand } from './run-command.ts';

const packages = ['redis-server', 'valkey-server'];
const downloadTimeoutMs = 300_000;

/**
 * The Redis package of this Debian or Ubuntu, downloaded and verified by apt and unpacked into the
 * cache, all without root. `undefined` if that fails: no apt, no network, no such package.
 */
export async function unpackedDebianRedis(
  host: HostEnvironment,
  isUsable: (program: RedisProgram) => Promise<boolean>,
  onProgress?: (step: string) => void,
): Promise<RedisProgram | undefined> {
  const tools = await Promise.all(['apt-get', 'dpkg-deb'].map((name) => findProgram(name, host.searchPath)));
  if (tools.includes(undefined)) return undefined;
  const target = join(host.cacheDir, `redis-${process.arch}`);
  const cached = await programIn(target);
  if (cached !== undefined && (await isUsable(cached))) return cached;

  onProgress?.('downloading Redis (about 2 MB, once)');
  await mkdir(host.cacheDir, { recursive: true, mode: 0o700 });
  const work = await mkdtemp(`${target}-`);
  try {
    const unpacked = join(work, 'root');
    await downloadAndUnpack(work, unpacked);
    const program = await programIn(unpacked);
    if (program === undefined || !(await isUsable(program))) return undefined;
    await moveIntoPlace(unpacked, target, cached !== undefined);
    return await programIn(target);
  } catch {
    return undefined;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * Tries the machine's package lists first, which may be empty or outdated, then freshly downloaded
 * ones.
 */
async function downloadAndUnpack(work: string, unpacked: string): Promise<void> {
  let archives: string[];
  try {
    archives = await download(work, []);
  } catch {
    archives = await download(work, await freshLists(work));
  }
  for (const archive of archives) await runCommand('dpkg-deb', ['-x', archive, unpacked]);
}

async function freshLists(work: string): Promise<string[]> {
  const state = join(work, 'apt');
  await mkdir(join(state, 'lists', 'partial'), { recursive: true });
  await mkdir(join(state, 'cache', 'archives', 'partial'), { recursive: true });
  const options = [
    ['Dir::State', state],
    ['Dir::State::lists', join(state, 'lists')],
    ['Dir::State::status', '/var/lib/dpkg/status'],
    ['Dir::Cache', join(state, 'cache')],
  ].flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  await aptGet([...options, 'update']);
  return options;
}

/** Downloads the server and those of its dependencies that the machine lacks. */
async function download(work: string, options: readonly string[]): Promise<string[]> {
  const directory = await mkdtemp(join(work, 'archives-'));
  await aptGet([...options, 'download', ...(await missingPackages(options))], directory);
  return (await readdir(directory)).map((name) => join(directory, name));
}

async function missingPackages(options: readonly string[]): Promise<string[]> {
  let failure: unknown;
  for (const name of packages) {
    try {
      const plan = await aptGet([...options, '--simulate', '--no-install-recommends', 'install', name]);
      return [...plan.matchAll(/^Inst (\S+)/gm)].map(([, found]) => found as string);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** Without root, apt cannot take its locks or become its own download user. */
function aptGet(args: readonly string[], cwd?: string): Promise<string> {
  const options = ['-qq', '-o', 'Debug::NoLocking=1', '-o', 'APT::Sandbox::User=root'];
  return runCommand('apt-get', [...options, ...args], { cwd, timeoutMs: downloadTimeoutMs });
}

/** A concurrent process may have moved the same content there; either copy will do. */
async function moveIntoPlace(from: string, to: string, replace: boolean): Promise<void> {
  if (replace) await rm(to, { recursive: true, force: true });
  try {
    await rename(from, to);
  } catch (error) {
    if ((await programIn(to)) === undefined) throw error;
  }
}

async function programIn(root: string): Promise<RedisProgram | undefined> {
  const bin = [join(root, 'usr', 'bin')];
  const file = (await findProgram('redis-server', bin)) ?? (await findProgram('valkey-server', bin));
  if (file === undefined) return undefined;
  const directories = await Promise.all([join(root, 'usr', 'lib'), join(root, 'lib')].map(libraryDirectories));
  return { file, env: { LD_LIBRARY_PATH: directories.flat().join(':') } };
}

async function libraryDirectories(directory: string): Promise<string[]> {
  try {
    const names = await readdir(directory);
    return [directory, ...names.filter((name) => name.includes('-linux-')).map((name) => join(directory, name))];
  } catch {
    return [];
  }
}
