import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { findInRegistry } from './npm.ts';

test.each([
  ['cannot be executed', '#!/bin/sh\n', 0o644, 'npm view failed: spawn npm EACCES'],
  [
    'prints too much',
    `#!${process.execPath}\nconsole.log('x'.repeat(5e6));`,
    0o755,
    'npm view failed: stdout maxBuffer length exceeded',
  ],
  ['fails', '#!/bin/sh\necho npm error no access >&2\nexit 1\n', 0o755, 'npm view failed: no access'],
  ['fails without a message', '#!/bin/sh\nexit 1\n', 0o755, 'npm view failed: it gave no reason'],
])('an npm that %s fails with the reason', async (_, program, mode, message) => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-npm-'));
  await writeFile(join(folder, 'npm'), program, { mode });
  process.env['PATH'] = folder;
  await expect(findInRegistry('a-package', folder)).rejects.toThrow(message);
  await rm(folder, { recursive: true });
});
