import { join } from 'node:path';
import type { HostEnvironment } from '@sluice/config';
import { libraryPath, unpackedDebianPackages } from './debian-packages.ts';
import { findProgram } from './find-program.ts';
import type { RedisProgram } from './redis-program.ts';
import type { ServiceOptions } from './service.ts';

/** The Redis of this Debian or Ubuntu, unpacked into the cache. `undefined` if that fails. */
export async function unpackedDebianRedis(
  host: HostEnvironment,
  isUsable: (program: RedisProgram) => Promise<boolean>,
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
