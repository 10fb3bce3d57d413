import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The password of the Redis with its data in a directory. Stored in `redis.conf` next to the data
 * and mounted into the container, because arguments and environment are visible to everyone. The
 * file is moved into place when complete, because a Redis that starts with an empty file has no
 * password.
 */
export async function redisPassword(dataDir: string): Promise<string> {
  const file = join(dataDir, 'redis.conf');
  const storedPassword = /^requirepass ([\da-f]+)\n/.exec(await readFile(file, 'utf8').catch(() => ''))?.[1];
  if (storedPassword !== undefined) return storedPassword;
  const password = randomBytes(24).toString('hex');
  await writeFile(`${file}.new`, `requirepass ${password}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return password;
}
