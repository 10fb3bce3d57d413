import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { redisPassword } from './docker-redis.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-redis-'));
});
afterEach(() => rm(folder, { recursive: true }));

const file = () => join(folder, 'redis.conf');

test('a password is kept in a file that only its owner can read', async () => {
  const password = await redisPassword(folder);
  expect(password).toMatch(/^[\da-f]{48}$/);
  expect(await redisPassword(folder)).toBe(password);
  expect(await readFile(file(), 'utf8')).toBe(`requirepass ${password}\n`);
  expect((await stat(file())).mode & 0o777).toBe(0o600);
});

test.each(['', 'requirepass ', 'requirepass 0123'])('a file that a killed process left as %j is replaced', async (leftover) => {
  await writeFile(file(), leftover);
  const password = await redisPassword(folder);
  expect(password).toHaveLength(48);
  expect(await readFile(file(), 'utf8')).toBe(`requirepass ${password}\n`);
});
