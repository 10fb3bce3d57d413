import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { makeHome } from './make-home.ts';

describe('makeHome', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'sluice-home-'));
  afterAll(() => rmSync(scratch, { recursive: true }));

  test('creates each missing level for its owner only, and can be repeated', async () => {
    const home = join(scratch, 'a', 'b');
    await makeHome(home);
    await makeHome(home);
    expect([statSync(join(scratch, 'a')).mode & 0o777, statSync(home).mode & 0o777]).toEqual([0o700, 0o700]);
  });

  test('a file at this path is an error that names the setting', async () => {
    const file = join(scratch, 'file');
    writeFileSync(file, '');
    await expect(makeHome(file)).rejects.toThrow(`cannot create the directory ${file} (EEXIST); set another SLUICE_HOME`);
    await expect(makeHome(join(file, 'logs'))).rejects.toThrow('set another SLUICE_HOME');
  });

  const onLinux = process.platform === 'linux' ? test : test.skip;
  onLinux('a path where nothing can be created is an error, not an endless loop', async () => {
    await expect(makeHome('/proc/x/logs')).rejects.toThrow('cannot create the directory /proc/x');
  });
});
