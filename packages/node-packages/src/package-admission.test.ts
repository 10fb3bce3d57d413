import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { loadFrom, shout } from './testing/load-from.ts';
import { writePackage } from './testing/write-package.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'package-admission-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** The failure of the only package. */
async function failure(): Promise<string | undefined> {
  const { packages, failures } = await loadFrom(folder);
  expect([packages, failures.length]).toEqual([[], 1]);
  return failures[0]?.reason;
}

describe('third-party packages', () => {
  test('a folder without package.json and a missing folder are reported', async () => {
    await mkdir(join(folder, 'empty'));
    expect(await failure()).toMatch(/package\.json is missing/);
    const nowhere = join(folder, 'none');
    expect((await loadFrom(nowhere)).failures).toEqual([{ package: nowhere, reason: expect.stringContaining('ENOENT') }]);
  });

  test('whose name differs from their folder are omitted, and none of their code runs', async () => {
    const liar = (name: string) => ({ manifest: { ...shout.manifest, name }, files: { 'shout.js': 'process.exit(7)' } });
    await writePackage(folder, 'a-liar', liar('z-good'));
    await writePackage(folder, 'b-liar', liar('@acme/b-liar'));
    await writePackage(join(folder, 'node_modules'), 'c-liar', liar('z-good'));
    await writePackage(folder, 'z-good', shout);
    const { packages, failures } = await loadFrom(folder, { allow: ['z-good', '@acme/*'] });
    expect(packages).toMatchObject([{ name: 'z-good', version: '1.2.3' }]);
    expect(failures).toEqual([
      { package: 'a-liar', reason: 'package.json: the name z-good does not match its folder, a-liar' },
      { package: 'b-liar', reason: 'package.json: the name @acme/b-liar does not match its folder, b-liar' },
      { package: 'c-liar', reason: 'package.json: the name z-good does not match its folder, c-liar' },
    ]);
  });

  describe('that npm installed under another name', () => {
    beforeEach(async () => {
      const dependencies = {
        'nodes-old': 'npm:@acme/nodes@^1.2.3',
        '@b/fork': 'npm:nodes-fork',
        base: 'npm:shout@1.2.3',
        liar: 'npm:shout@1.2.3',
        plain: '^1.2.3',
      };
      await writeFile(join(folder, 'package.json'), JSON.stringify({ dependencies }));
    });
    const install = (name: string, own: string) =>
      writePackage(join(folder, 'node_modules'), name, { ...shout, manifest: { ...shout.manifest, name: own } });

    test('use that name', async () => {
      await install('nodes-old', '@acme/nodes');
      await install('@b/fork', 'nodes-fork');
      const allow = ['nodes-old', '@acme/*', '@b/fork', 'nodes-fork'];
      const { nodeTypes, failures } = await loadFrom(folder, { allow });
      expect([[...nodeTypes.keys()], failures]).toEqual([['@b/fork.shout', 'nodes-old.shout'], []]);
    });

    test.each([
      [
        'nodes-old',
        '@acme/nodes',
        'SLUICE_NODES_ALLOW does not name both it and @acme/nodes, its original name',
        ['nodes-old'],
      ],
      ['@b/fork', 'nodes-fork', 'SLUICE_NODES_ALLOW does not name both it and nodes-fork, its original name', ['nodes-fork']],
      ['base', 'shout', 'shout is installed as base, which is not allowed as a package name', ['base', 'shout']],
      ['liar', 'other', 'package.json: the name other does not match its folder, liar', ['liar', 'other', 'shout']],
      ['plain', 'other', 'package.json: the name other does not match its folder, plain', ['plain', 'other']],
      ['hoisted', 'other', 'package.json: the name other does not match its folder, hoisted', ['hoisted', 'other']],
    ])('are omitted if the name is not allowed or not requested: %s, which is %s', async (name, own, reason, allow) => {
      await install(name, own);
      expect((await loadFrom(folder, { allow })).failures).toEqual([{ package: name, reason }]);
    });
  });

  test('run nothing unless the list names them or their scope', async () => {
    const throwing = { ...shout, files: { 'shout.js': 'throw new Error("it ran")' } };
    for (const name of ['a', '@b/c', '@b/d']) await writePackage(folder, name, shout);
    await writePackage(folder, 'e', throwing);
    const { packages, failures } = await loadFrom(folder, { allow: ['a', '@b/*'] });
    expect(packages.map(({ name }) => name)).toEqual(['@b/c', '@b/d', 'a']);
    expect(failures).toEqual([{ package: 'e', reason: 'SLUICE_NODES_ALLOW does not name it' }]);
  });

  test.each(['mkfifo', 'link to /dev/zero', 'a large file'])('an endless package.json is rejected: %s', async (kind) => {
    await mkdir(join(folder, 'p'));
    const manifest = join(folder, 'p/package.json');
    if (kind === 'mkfifo') execFileSync('mkfifo', [manifest]);
    else if (kind === 'a large file') await writeFile(manifest, ' '.repeat(1024 * 1024 + 1));
    else await symlink('/dev/zero', manifest);
    expect(await failure()).toMatch(/^package\.json is (not a file|larger than 1 MiB)$/);
  });
});
