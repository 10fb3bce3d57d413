import type { Stats } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '@sluice/domain';
import { type FileEvent, type FileWatcher, type FileWatchOptions, fileEvents } from '@sluice/node-sdk';
import { type FSWatcher, watch } from 'chokidar';
import { FileNotAllowedError, fileError } from './file-errors.ts';
import type { FolderRules } from './folder-rules.ts';
import { parseGlob } from './glob-pattern.ts';
import { maxDepth, maxEntries, tooMany } from './walk-folder.ts';

/** Minimum polling interval in milliseconds, to limit the load on the disk. */
const shortestPollMs = 100;

const stableMs = 2_000;

/**
 * Watches a real path that the rules allow. An event is reported only if its folder is inside at
 * that moment, even if something was moved. Links are reported as links; otherwise only regular
 * files and folders are reported.
 */
export async function watchPath(path: string, rules: FolderRules, options: FileWatchOptions): Promise<FileWatcher> {
  const { ignored, depth = maxDepth, includesExisting = false, awaitsWrites = false, pollMs } = options;
  const leavesOut = ignored ? ignoring(path, ignored) : () => false;
  let entries = 0;
  const watcher = watch(path, {
    followSymlinks: false,
    ignoreInitial: !includesExisting,
    depth: Math.min(depth, maxDepth),
    ignorePermissionErrors: true,
    awaitWriteFinish: awaitsWrites && { stabilityThreshold: stableMs, pollInterval: shortestPollMs },
    backend: pollMs === undefined ? 'native' : 'polling',
    ...(pollMs !== undefined && { pollingInterval: Math.max(pollMs, shortestPollMs) }),
    ignored: (entry: string, stats?: Stats) => {
      if (entry === path) return false;
      if (stats) entries += 1;
      return entries > maxEntries || rules.refuses(entry) || leavesOut(entry) || (stats !== undefined && !isPlain(stats));
    },
  });
  const fail = once(options.onError);
  const report = async (event: FileEvent, entry: string) => {
    if (entry === path && (event === 'addDir' || event === 'unlinkDir')) return;
    if (await isInside(entry, rules)) options.onEvent(event, entry);
  };
  let reporting: Promise<void> = Promise.resolve();
  for (const event of fileEvents) {
    watcher.on(event, (entry: string) => {
      if (entries > maxEntries) fail(tooMany(path));
      else reporting = reporting.then(() => report(event, entry)).catch(fail);
    });
  }
  watcher.on('error', (error) => fail(watchError(error, path)));
  await ready(watcher, path);
  if (entries > maxEntries) {
    await watcher.close();
    throw tooMany(path);
  }
  return {
    async close() {
      await watcher.close();
      await reporting;
    },
  };
}

async function ready(watcher: FSWatcher, path: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  watcher.once('ready', resolve);
  watcher.once('error', reject);
  try {
    await promise;
  } catch (error) {
    await watcher.close();
    throw watchError(error, path);
  }
}

/** A removed file is checked by its folder. */
async function isInside(path: string, rules: FolderRules): Promise<boolean> {
  try {
    return await rules.allows(await realpath(dirname(path)));
  } catch {
    // The folder was removed with the file; its name shows that it was inside.
    return !rules.refuses(path);
  }
}

function isPlain(stats: Stats): boolean {
  return stats.isFile() || stats.isDirectory();
}

function ignoring(path: string, ignored: NonNullable<FileWatchOptions['ignored']>): (entry: string) => boolean {
  if ('text' in ignored) return (entry) => ignored.text !== '' && entry.includes(ignored.text);
  try {
    const glob = parseGlob(ignored.glob);
    return (entry) => (glob ? glob.matches(entry) : entry === ignored.glob);
  } catch (error) {
    throw new FileNotAllowedError(path, `the ignore pattern is not valid: ${String(error)}`);
  }
}

function watchError(error: unknown, path: string): unknown {
  const code = codeOf(error);
  if (code !== 'ENOSPC' && code !== 'EMFILE') return fileError(error, path);
  return new FileNotAllowedError(path, 'the system cannot watch more files: watch fewer, or let the node poll');
}

function once(report: (error: unknown) => void): (error: unknown) => void {
  let isReported = false;
  return (error) => {
    if (!isReported) report(error);
    isReported = true;
  };
}
