import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostEnvironment } from '@sluice/config';
import { findProgram, runCommand } from './run-command.ts';

interface PackageRequest {
  /** Directory in the cache; the architecture is appended. */
  name: string;
  /** Sets of packages; the first set that apt can find is used. */
  choices: readonly (readonly string[])[];
  /** Whether the programs in an unpacked tree work. */
  isUsable(root: string): Promise<boolean>;
  /** Called before a download. */
  onDownload?: () => void;
  /** Aborts a download; the result is then `undefined`. */
  signal?: AbortSignal | undefined;
}

const downloadTimeoutMs = 300_000;

/**
 * Packages of this Debian or Ubuntu, with any dependencies that the machine lacks, downloaded and
 * verified by apt and unpacked into the cache, all without root. Resolves to the root of the tree,
 * or `undefined` if that fails: no apt, no network, no such package.
 */
export async function unpackedDebianPackages(host: HostEnvironment, request: PackageRequest): Promise<string | undefined> {
  const tools = await Promise.all(['apt-get', 'dpkg-deb'].map((name) => findProgram(name, host.searchPath)));
  if (tools.includes(undefined)) return undefined;
  const target = join(host.cacheDir, `${request.name}-${process.arch}`);
  if (await request.isUsable(target)) return target;

  request.onDownload?.();
  await mkdir(host.cacheDir, { recursive: true, mode: 0o700 });
  const work = await mkdtemp(`${target}-`);
  try {
    const unpacked = join(work, 'root');
    await downloadAndUnpack(work, unpacked, request);
    if (!(await request.isUsable(unpacked))) return undefined;
    await moveIntoPlace(unpacked, target, request);
    return target;
  } catch {
    return undefined;
  } finally {
    // A program that was stopped may still write a last file.
    await rm(work, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** `LD_LIBRARY_PATH` for the programs of an unpacked tree. */
export async function libraryPath(root: string): Promise<string> {
  const directories = await Promise.all([join(root, 'usr', 'lib'), join(root, 'lib')].map(libraryDirectories));
  return directories.flat().join(':');
}

/**
 * Tries the machine's package lists first, which may be empty or outdated, then freshly downloaded
 * ones.
 */
async function downloadAndUnpack(work: string, unpacked: string, { choices, signal }: PackageRequest): Promise<void> {
  const apt: AptGet = (args, cwd) => aptGet(args, cwd, signal);
  let archives: string[];
  try {
    archives = await download(apt, { work, choices, options: [] });
  } catch {
    signal?.throwIfAborted();
    archives = await download(apt, { work, choices, options: await freshLists(apt, work) });
  }
  for (const archive of archives) await runCommand('dpkg-deb', ['-x', archive, unpacked], { signal });
}

type AptGet = (args: readonly string[], cwd?: string) => Promise<string>;

async function freshLists(apt: AptGet, work: string): Promise<string[]> {
  const state = join(work, 'apt');
  await mkdir(join(state, 'lists', 'partial'), { recursive: true });
  await mkdir(join(state, 'cache', 'archives', 'partial'), { recursive: true });
  const options = [
    ['Dir::State', state],
    ['Dir::State::lists', join(state, 'lists')],
    ['Dir::State::status', '/var/lib/dpkg/status'],
    ['Dir::Cache', join(state, 'cache')],
  ].flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  await apt([...options, 'update']);
  return options;
}

interface Download {
  work: string;
  choices: PackageRequest['choices'];
  /** Options of apt. */
  options: readonly string[];
}

/** Downloads the packages, with any dependencies that the machine lacks. */
async function download(apt: AptGet, { work, choices, options }: Download): Promise<string[]> {
  const directory = await mkdtemp(join(work, 'archives-'));
  await apt([...options, 'download', ...(await missingPackages(apt, choices, options))], directory);
  return (await readdir(directory)).map((name) => join(directory, name));
}

async function missingPackages(apt: AptGet, choices: PackageRequest['choices'], options: readonly string[]): Promise<string[]> {
  let failure: unknown;
  for (const packages of choices) {
    try {
      const plan = await apt([...options, '--simulate', '--no-install-recommends', 'install', ...packages]);
      return [...plan.matchAll(/^Inst (\S+)/gm)].map(([, packageName]) => packageName as string);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** Without root, apt cannot take its locks or become its own download user. */
function aptGet(args: readonly string[], cwd: string | undefined, signal: AbortSignal | undefined): Promise<string> {
  const options = ['-qq', '-o', 'Debug::NoLocking=1', '-o', 'APT::Sandbox::User=root'];
  return runCommand('apt-get', [...options, ...args], { cwd, timeoutMs: downloadTimeoutMs, signal });
}

/**
 * Replaces a tree that is not usable. A concurrent process may have moved the same content there;
 * either copy can be used.
 */
async function moveIntoPlace(from: string, to: string, { isUsable }: PackageRequest): Promise<void> {
  if (!(await isUsable(to))) await rm(to, { recursive: true, force: true });
  try {
    await rename(from, to);
  } catch (error) {
    if (!(await isUsable(to))) throw error;
  }
}

async function libraryDirectories(directory: string): Promise<string[]> {
  try {
    const names = await readdir(directory);
    return [directory, ...names.filter((name) => name.includes('-linux-')).map((name) => join(directory, name))];
  } catch {
    return [];
  }
}
