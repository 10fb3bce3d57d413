import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type BuiltFile, copyPreviousAssets } from '../apps/dashboard/previous-assets.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-dashboard-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(build: string, files: BuiltFile[]): string {
  const root = join(folder, build);
  for (const { path, encodings } of files)
    for (const name of [path, ...encodings.map((encoding) => `${path}.${encoding}`)]) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), build);
    }
  writeFileSync(join(root, 'files.json'), JSON.stringify(files));
  return root;
}

test('assets of the previous build are kept for open tabs; assets of older builds are not', () => {
  const previous = write('previous', [
    { path: 'assets/page-1.js', encodings: ['br'] },
    { path: 'assets/same.js', encodings: [] },
    { path: 'assets/older.js', encodings: [], isPrevious: true },
    { path: 'icon.svg', encodings: [] },
  ]);
  const built: BuiltFile[] = [
    { path: 'assets/page-2.js', encodings: [] },
    { path: 'assets/same.js', encodings: [] },
  ];
  const next = write('next', built);

  expect(copyPreviousAssets(previous, next, built)).toEqual([
    { path: 'assets/page-1.js', encodings: ['br'], isPrevious: true },
  ]);
  expect(readdirSync(join(next, 'assets')).sort()).toEqual(['page-1.js', 'page-1.js.br', 'page-2.js', 'same.js']);
});

test('the first build keeps nothing', () => {
  expect(copyPreviousAssets(join(folder, 'absent'), folder, [])).toEqual([]);
});
