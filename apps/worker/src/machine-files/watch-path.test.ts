import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { FileWatcher, FileWatchOptions } from '@sluice/node-sdk';
import { eventually } from '@sluice/test-support';
import { AllowedFolder } from './allowed-folder.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'watched-')));
const watchers: FileWatcher[] = [];
let count = 0;
let inside = '';
let files: AllowedFolder;

beforeEach(() => {
  inside = join(root, String(count++));
  for (const folder of ['sub/deep', 'home']) mkdirSync(join(inside, folder), { recursive: true });
  writeFileSync(join(inside, 'old.txt'), 'old');
  files = new AllowedFolder([inside], { refused: [join(inside, 'home')] });
});
afterEach(async () => {
  for (const watcher of watchers.splice(0)) await watcher.close();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function watched(path = '.', options: Partial<FileWatchOptions> = {}): Promise<string[]> {
  const events: string[] = [];
  const onEvent: FileWatchOptions['onEvent'] = (event, entry) => events.push(`${event} ${entry.slice(inside.length + 1)}`);
  watchers.push(await files.watch(path, { onEvent, onError: (error) => events.push(String(error)), ...options }));
  return events;
}

const write = (name: string, content = 'x') => writeFileSync(join(inside, name), content);

test.each([undefined, 100])(
  'created, changed, and removed files are reported, even in subfolders (polling: %p)',
  async (pollMs) => {
    const events = await watched('.', pollMs === undefined ? {} : { pollMs });
    write('sub/deep/a.txt');
    await eventually(() => expect(events).toEqual(['add sub/deep/a.txt']));
    write('old.txt', 'longer than before');
    await eventually(() => expect(events.slice(1)).toEqual(['change old.txt']));
    unlinkSync(join(inside, 'old.txt'));
    await eventually(() => expect(events.slice(2)).toEqual(['unlink old.txt']));
    mkdirSync(join(inside, 'new'));
    await eventually(() => expect(events.slice(3)).toEqual(['addDir new']));
  },
);

test('existing files are reported on request, down to the requested depth', async () => {
  write('sub/b.log');
  write('sub/deep/c.txt');
  const events = await watched('.', { includesExisting: true, depth: 1, ignored: { glob: '**/*.log' } });
  await eventually(() => expect(events.sort()).toEqual(['add old.txt', 'addDir sub', 'addDir sub/deep']));
  const other = await watched('.', { includesExisting: true, ignored: { text: '/sub' } });
  await eventually(() => expect(other).toEqual(['add old.txt']));
});

test('a single file can be watched', async () => {
  const events = await watched('old.txt');
  write('other.txt');
  write('old.txt', 'changed');
  await eventually(() => expect(events).toEqual(['change old.txt']));
});

test('nothing is reported from the home of the service or from link targets', async () => {
  const outside = join(root, `outside-${count}`);
  mkdirSync(outside);
  symlinkSync(outside, join(inside, 'link'));
  const events = await watched('.', { includesExisting: true });
  writeFileSync(join(outside, 'secret.txt'), 'x');
  write('home/master.key');
  write('sub/end.txt');
  await eventually(() => expect(events).toContain('add sub/end.txt'));
  expect(events.filter((event) => /secret|master|home|link/.test(event))).toEqual([]);
});

test('paths outside, links that point outside, and missing paths are rejected', async () => {
  symlinkSync(root, join(inside, 'up'));
  const refused = { code: 'FILE_NOT_ALLOWED' };
  for (const path of ['..', '/etc', 'up', 'home', '/proc']) await expect(watched(path)).rejects.toMatchObject(refused);
  await expect(watched('none')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  await expect(watched('.', { ignored: { glob: 'x'.repeat(1_001) } })).rejects.toMatchObject(refused);
});

test('a closed watcher reports nothing', async () => {
  const events = await watched();
  await watchers.pop()?.close();
  write('late.txt');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(events).toEqual([]);
});
