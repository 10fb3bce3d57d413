import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { programOf } from './process-identity.ts';

const folder = mkdtempSync(join(tmpdir(), 'with a space '));
afterAll(() => rmSync(folder, { recursive: true }));

test('a program whose path has spaces is recognized', async () => {
  const file = join(folder, 'postgres');
  copyFileSync('/bin/sleep', file);
  const child = spawn(file, ['60']);
  await once(child, 'spawn');

  const program = await programOf(child.pid as number);
  child.kill();

  expect(basename(program ?? '')).toBe('postgres');
});
