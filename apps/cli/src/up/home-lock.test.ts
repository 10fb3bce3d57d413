import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { lockHome } from './home-lock.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sluice-home-'));
afterAll(() => rmSync(scratch, { recursive: true }));
const newHome = () => mkdtempSync(join(scratch, 'home-'));

test('a home folder has one lock holder at a time, and is free after the release', async () => {
  const home = newHome();
  const lock = await lockHome(home);

  await expect(lockHome(home)).rejects.toThrow(/another `sluice up` \(pid \d+\).*SLUICE_HOME/);
  await lock.release();

  await expect(lockHome(home)).resolves.toBeDefined();
});

test.each([
  ['a dead process', '999999999 1 x'],
  ['a process whose PID was reused', `${process.pid} 1 another-boot`],
  ['a start that was killed while writing it', ''],
])('the lock of %s is taken over', async (_, content) => {
  const home = newHome();
  writeFileSync(join(home, 'up.lock'), content);

  const lock = await lockHome(home);

  expect(readdirSync(home)).toEqual(['up.lock']);
  await lock.release();
});

const elsewhere = JSON.stringify({ process: '7 1 a-boot', place: 'another-host pid:[1]' });

test('the lock of a holder in another container, whose PIDs are meaningless here, is respected while it is alive', async () => {
  const home = newHome();
  const file = join(home, 'up.lock');
  writeFileSync(file, elsewhere);
  const beat = setInterval(() => utimesSync(file, new Date(), new Date()), 50);

  await expect(lockHome(home, { watchMs: 1_000 })).rejects.toThrow('another `sluice up` (on another-host) uses');
  clearInterval(beat);

  const lock = await lockHome(home, { watchMs: 300 });
  await lock.release();
});

test('a holder touches the lock file regularly', async () => {
  const home = newHome();
  const lock = await lockHome(home);
  utimesSync(join(home, 'up.lock'), 0, 0);

  await delay(2_500);

  expect(statSync(join(home, 'up.lock')).mtimeMs).toBeGreaterThan(Date.now() - 10_000);
  await lock.release();
});

test('if many processes find a stale lock at once, exactly one gets it', async () => {
  for (let round = 0; round < 100; round += 1) {
    const home = newHome();
    writeFileSync(join(home, 'up.lock'), '999999999 1 x');

    const startLater = async (i: number) => {
      await delay(i / 3);
      return lockHome(home);
    };
    const results = await Promise.allSettled(Array.from({ length: 8 }, (_, i) => startLater(i)));

    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  }
});

test('a lock that a killed process had moved away does not block a later start', async () => {
  const home = newHome();
  writeFileSync(join(home, 'up.lock.0011.moved'), '999999999 1 x');

  const lock = await lockHome(home);

  expect(readdirSync(home)).toEqual(['up.lock']);
  await lock.release();
});
