import { join } from 'node:path';
import type { HostEnvironment } from '@sluice/config';
import { libraryPath, unpackedDebianPackages } from './debian-packages.ts';
import { findProgram, runCommand } from './run-command.ts';
import type { ServiceOptions } from './service.ts';

/** A Redis or Valkey server that can run on this machine. */
export interface RedisProgram {
  file: string;
  /** Environment variables that it needs to find its libraries. */
  env: Record<string, string>;
}

/**
 * A Redis from the search path, or from the packages of Debian or Ubuntu, unpacked into the cache
 * without root. `undefined` if there is neither.
 */
export async function findRedis(
  host: HostEnvironment,
  options: Pick<ServiceOptions, 'onProgress' | 'signal'>,
): Promise<RedisProgram | undefined> {
  for (const name of ['redis-server', 'valkey-server']) {
    const file = await findProgram(name, host.searchPath);
    if (file !== undefined && (await isUsable({ file, env: {} }))) return { file, env: {} };
  }
  return unpackedDebianRedis(host, options);
}

/** Whether it starts and is Redis 6.2 or newer, or Valkey. */
async function isUsable({ file, env }: RedisProgram): Promise<boolean> {
  try {
    const [, major = 0, minor = 0] = (/\bv=(\d+)\.(\d+)/.exec(await runCommand(file, ['--version'], { env })) ?? []).map(
      Number,
    );
    return major > 6 || (major === 6 && minor >= 2);
  } catch {
    return false;
  }
}

/** The Redis of this Debian or Ubuntu, unpacked into the cache. `undefined` if that fails. */
async function unpackedDebianRedis(
  host: HostEnvironment,
  { onProgress, signal }: Pick<ServiceOptions, 'onProgress' | 'signal'>,
): Promise<RedisProgram | undefined> {
  const root = await unpackedDebianPackages(host, {
    name: 'redis',
    choices: [['redis-server'], ['valkey-server']],
    signal,
    onDownload: () => onProgress?.('downloading Redis (about 2 MB, once)'),
    async isUsable(tree) {
      const program = await programIn(tree);
      return program !== undefined && isUsable(program);
    },
  });
  return root === undefined ? undefined : programIn(root);
}

async function programIn(root: string): Promise<RedisProgram | undefined> {
  const bin = [join(root, 'usr', 'bin')];
  const file = (await findProgram('redis-server', bin)) ?? (await findProgram('valkey-server', bin));
  return file === undefined ? undefined : { file, env: { LD_LIBRARY_PATH: await libraryPath(root) } };
}
