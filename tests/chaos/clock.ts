import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { readHostEnvironment } from '@sluice/config';
import { runCommand, unpackedDebianPackages } from '@sluice/embedded';
import type { Environment } from './service-process.ts';

/** Environment variables that set the clock of a process ahead by some seconds. */
export type ClockSkew = (seconds: number) => Environment;

/**
 * Finds libfaketime on this machine, or unpacks the Debian or Ubuntu package into the cache.
 * Resolves to `undefined` if neither works.
 */
export async function findClockSkew(): Promise<ClockSkew | undefined> {
  const library = (await libraryIn('/')) ?? (await unpackedLibrary());
  if (library === undefined) return undefined;
  return (seconds) => ({
    LD_PRELOAD: library,
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  });
}

async function unpackedLibrary(): Promise<string | undefined> {
  const root = await unpackedDebianPackages(readHostEnvironment(), {
    name: 'faketime',
    choices: [['libfaketime']],
    isUsable: async (tree) => (await libraryIn(tree)) !== undefined,
  });
  return root === undefined ? undefined : libraryIn(root);
}

/** The multithreaded variant, if Node runs with it. */
async function libraryIn(root: string): Promise<string | undefined> {
  for await (const file of glob(join(root, 'usr/lib/*/faketime/libfaketimeMT.so.1'))) {
    const env = { LD_PRELOAD: file, FAKETIME: '+1000d', FAKETIME_DONT_FAKE_MONOTONIC: '1' };
    const now = await runCommand(process.execPath, ['-p', 'Date.now()'], { env }).catch(() => '0');
    if (Number(now) > Date.now()) return file;
  }
  return undefined;
}
