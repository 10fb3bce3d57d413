import type { HostEnvironment } from '@sluice/config';
import { unpackedDebianRedis } from './debian-redis.ts';
import { findProgram } from './find-program.ts';
import type { RedisProgram } from './redis-program.ts';
import { runCommand } from './run-command.ts';
import type { ServiceOptions } from './service.ts';

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
  return unpackedDebianRedis(host, isUsable, options);
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
