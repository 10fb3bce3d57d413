import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AllowedFolder } from './allowed-folder.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'allowed-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let base = '';
let inside = '';
let files: AllowedFolder;
let count = 0;

beforeEach(() => {
  base = join(root, String(count++));
  inside = join(base, 'inside');
  mkdirSync(join(inside, 'home'), { recursive: true });
  mkdirSync(join(inside, 'sub', 'deep'), { recursive: true });
  mkdirSync(join(base, 'inside-not'));
  writeFileSync(join(base, 'secret.txt'), 'secret');
  writeFileSync(join(base, 'inside-not', 'a.txt'), 'near');
  writeFileSync(join(inside, 'home', 'master.key'), 'key');
  writeFileSync(join(inside, 'a.txt'), 'one');
  writeFileSync(join(inside, 'sub', 'b.txt'), 'two');
  writeFileSync(join(inside, 'sub', 'deep', 'c.txt'), 'three');
  writeFileSync(join(inside, '.hidden.txt'), 'dot');
  symlinkSync(join(base, 'secret.txt'), join(inside, 'out.txt'));
  symlinkSync(base, join(inside, 'up'));
  symlinkSync(join(inside, 'a.txt'), join(inside, 'in.txt'));
  files = new AllowedFolder([inside], { refused: [join(inside, 'home')], maxBytes: 100 });
});

const read = async (path: string) => text(Readable.from(await files.open(path)));
const refused = { code: 'FILE_NOT_ALLOWED' };

describe('reading', () => {
  test('a file inside can be read by absolute path, relative to the first folder, and by a link that stays inside', async () => {
    expect(await read(join(inside, 'a.txt'))).toBe('one');
    expect(await read('sub/b.txt')).toBe('two');
    expect(await read('in.txt')).toBe('one');
  });

  test.each([
    ['a path outside', () => join(base, 'secret.txt')],
    ['a path that leaves the folder', () => join(inside, 'sub', '..', '..', 'secret.txt')],
    ['a folder whose name has the same prefix', () => join(base, 'inside-not', 'a.txt')],
    ['a link that leads out', () => join(inside, 'out.txt')],
    ['a path through a link that leads out', () => join(inside, 'up', 'secret.txt')],
    ['the home of the service', () => join(inside, 'home', 'master.key')],
    ['a folder', () => join(inside, 'sub')],
    ['a null character', () => `${inside}/a.txt\0.png`],
  ])('%s is rejected', async (_, path) => {
    await expect(files.open(path())).rejects.toMatchObject(refused);
    await expect(files.list(path())).rejects.toMatchObject(refused);
  });

  test('pipes and devices are rejected immediately', async () => {
    execFileSync('mkfifo', [join(inside, 'pipe')]);
    await expect(files.open('pipe')).rejects.toMatchObject(refused);
    await expect(files.write('pipe', Buffer.from('x'), { append: true })).rejects.toMatchObject(refused);
    const all = new AllowedFolder(['/']);
    await expect(all.open('/dev/null')).rejects.toMatchObject(refused);
    await expect(all.open('/proc/self/environ')).rejects.toMatchObject(refused);
  });

  test('a missing or oversized file is reported as such', async () => {
    await expect(files.open('none.txt')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    await expect(files.open('a.txt/b')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    writeFileSync(join(inside, 'large'), 'x'.repeat(101));
    await expect(files.open('large')).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
  });

  test('a link that is swapped while files are read never reveals files outside', async () => {
    const link = join(inside, 'swapped');
    const swap = (to: string) => {
      rmSync(link, { force: true });
      symlinkSync(to, link);
    };
    mkdirSync(join(base, 'twin'));
    writeFileSync(join(base, 'twin', 'b.txt'), 'outside');
    const seen = new Set<string>();
    for (let round = 0; round < 150; round++) {
      swap(join(inside, 'sub'));
      const reading = read('swapped/b.txt').catch((error: { code: string }) => error.code);
      for (let step = 0; step < 3; step++) {
        await new Promise(setImmediate);
        swap(round % 2 ? join(base, 'twin') : join(inside, 'sub'));
      }
      seen.add(await reading);
    }
    expect(seen).not.toContain('outside');
    expect(seen).toContain('two');
  });
});

describe('listing', () => {
  const list = async (pattern: string) => (await files.list(pattern)).map((path) => path.slice(inside.length + 1));

  test('a path without wildcards lists itself', async () => {
    expect(await list('sub/b.txt')).toEqual(['sub/b.txt']);
    await expect(list('none.txt')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  });

  test('a pattern lists files inside, sorted; hidden files only if it matches them explicitly', async () => {
    expect(await list('*.txt')).toEqual(['a.txt', 'in.txt']);
    expect(await list('**/*.txt')).toEqual(['a.txt', 'in.txt', 'sub/b.txt', 'sub/deep/c.txt']);
    expect(await list('.*')).toEqual(['.hidden.txt']);
    expect(await list('sub/*/*')).toEqual(['sub/deep/c.txt']);
    expect(await list('*.nothing')).toEqual([]);
  });

  test('a file whose name equals the pattern is listed', async () => {
    await files.write('sub/[d].txt', Buffer.from('x'));
    expect(await list('sub/[d].txt')).toEqual(['sub/[d].txt']);
    rmSync(join(inside, 'sub/[d].txt'));
  });

  test('files that cannot be read are not listed', async () => {
    expect(await list('home/../home*/*')).toEqual([]);
    await expect(list('home/*')).rejects.toMatchObject(refused);
    await expect(list('../*')).rejects.toMatchObject(refused);
    await expect(list('up/*')).rejects.toMatchObject(refused);
    await expect(list('/etc/*')).rejects.toMatchObject(refused);
  });
});

describe('writing', () => {
  test('replaces a file atomically, or appends to it', async () => {
    await files.write('new.txt', Buffer.from('ab'));
    await files.write('new.txt', chunks('c', 'd'), { append: true });
    expect(readFileSync(join(inside, 'new.txt'), 'utf8')).toBe('abcd');
    await files.write('new.txt', chunks('e'));
    expect(readFileSync(join(inside, 'new.txt'), 'utf8')).toBe('e');
    await files.write('other.txt', Buffer.from('x'), { append: true });
    expect(readFileSync(join(inside, 'other.txt'), 'utf8')).toBe('x');
  });

  test('content that fails or is too large leaves the old file unchanged and no other file', async () => {
    const failing = (async function* () {
      yield Buffer.from('half');
      throw new Error('the source broke');
    })();
    await expect(files.write('a.txt', failing)).rejects.toThrow('the source broke');
    await expect(files.write('a.txt', Buffer.alloc(101))).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
    expect(readFileSync(join(inside, 'a.txt'), 'utf8')).toBe('one');
    expect(readdirSync(inside).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test.each([
    ['a path outside', () => join(base, 'new.txt')],
    ['a path through a link that leads out', () => join(inside, 'up', 'new.txt')],
    ['the home of the service', () => join(inside, 'home', 'new.txt')],
    ['a folder', () => join(inside, 'sub')],
  ])('%s is rejected', async (_, path) => {
    await expect(files.write(path(), Buffer.from('x'))).rejects.toMatchObject(refused);
    await expect(files.write(path(), Buffer.from('x'), { append: true })).rejects.toMatchObject(refused);
    expect(existsSync(join(base, 'new.txt'))).toBe(false);
  });

  test('a link that points outside is replaced instead of followed, and cannot be appended to', async () => {
    await expect(files.write('out.txt', Buffer.from('x'), { append: true })).rejects.toMatchObject(refused);
    await files.write('out.txt', Buffer.from('x'));
    expect(readFileSync(join(base, 'secret.txt'), 'utf8')).toBe('secret');
    expect(readFileSync(join(inside, 'out.txt'), 'utf8')).toBe('x');
  });

  test('a missing folder and a broken link are reported as such', async () => {
    for (const append of [false, true]) {
      await expect(files.write('none/a.txt', Buffer.from('x'), { append })).rejects.toMatchObject({
        code: 'FILE_NOT_FOUND',
        message: expect.stringContaining(`folder ${join(inside, 'none')} does not exist`),
      });
    }
    symlinkSync(join(base, 'made.txt'), join(inside, 'dangling'));
    await expect(files.write('dangling', Buffer.from('x'), { append: true })).rejects.toMatchObject(refused);
    expect(existsSync(join(base, 'made.txt'))).toBe(false);
  });
});

test('several folders can be allowed, and need not exist yet', async () => {
  const several = new AllowedFolder([join(base, 'later'), inside]);
  expect(await several.list(join(inside, 'a.txt'))).toHaveLength(1);
  await expect(several.open('x')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  mkdirSync(join(base, 'later'));
  chmodSync(join(base, 'later'), 0o755);
  await several.write('x', Buffer.from('y'));
  expect(readFileSync(join(base, 'later', 'x'), 'utf8')).toBe('y');
});

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}
