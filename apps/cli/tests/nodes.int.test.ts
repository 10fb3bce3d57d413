import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { buildPrograms, builtCommand } from '@sluice/test-support';
import { buildProgram } from '../src/program.ts';

const run = promisify(execFile);
const saved = { ...process.env };
let folder: string;

beforeAll(buildPrograms);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-nodes-'));
});
afterEach(async () => {
  process.env = saved;
  await rm(folder, { recursive: true });
});

async function sluice(...args: string[]): Promise<{ lines: string[]; warnings: string[]; error?: string }> {
  const lines: string[] = [];
  const warnings: string[] = [];
  const terminal = { line: (text: string) => void lines.push(text), warn: (text: string) => void warnings.push(text) };
  try {
    await buildProgram(terminal)
      .exitOverride()
      .parseAsync(['nodes', ...args], { from: 'user' });
  } catch (error) {
    return { lines, warnings, error: (error as Error).message };
  }
  return { lines, warnings };
}

describe('sluice nodes', () => {
  test.each([
    ['sluice-nodes-acme', 'sluiceNodesAcmeApi'],
    ['@acme/nodes', 'acmeNodesApi'],
    ['4ever', 'package4everApi'],
  ])('new %s creates a valid package whose tests pass, with the credential type %s', async (name, credential) => {
    expect(await sluice('new', name, '--folder', folder)).toMatchObject({ warnings: [] });
    const packageFolder = join(folder, name);
    const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap'], {
      cwd: packageFolder,
      env: { PATH: saved['PATH'] },
    });
    expect(stdout).toMatch(/# pass 2\n# fail 0/);
    const { lines, error } = await sluice('check', packageFolder);
    expect([lines, error]).toEqual([
      [`${name} is a valid package`, `  node        ${name}.greeting`, `  credential  ${credential}`],
      undefined,
    ]);
  });

  test('a new package below SLUICE_NODES_DIR, even with a scope, is loaded without changes', async () => {
    await sluice('new', '@acme/nodes', '--folder', folder);
    process.env = { ...saved, SLUICE_NODES_DIR: folder };
    expect(await sluice('list')).toMatchObject({
      lines: ['@acme/nodes 0.1.0', expect.any(String), expect.any(String)],
      warnings: [],
    });
  });

  test('new rejects names that npm rejects, and does not overwrite a folder', async () => {
    for (const name of ['Acme', '../acme', 'base', 'node_modules', '']) {
      expect((await sluice('new', name, '--folder', folder)).error).toContain('is not a valid npm package name');
    }
    await sluice('new', 'acme', '--folder', folder);
    expect((await sluice('new', 'acme', '--folder', folder)).error).toContain('already exists');
  });

  test('check reports the file, the field, and the problem', async () => {
    await sluice('new', 'acme', '--folder', folder);
    const file = join(folder, 'acme/nodes/greeting.js');
    const source = await readFile(file, 'utf8');
    await writeFile(file, source.replace("group: ['transform']", "group: ['magic']").replace('version: 1', 'version: "1"'));
    expect((await sluice('check', join(folder, 'acme'))).error).toMatch(
      /^nodes\/greeting\.js: \/description\/group\/0 must be one of .*; \/description\/version must be a number/,
    );
    expect((await sluice('check', folder)).error).toBe('package.json is missing or cannot be read');
  });

  test('check reports a credential type that does not exist', async () => {
    await sluice('new', 'acme', '--folder', folder);
    const manifest = join(folder, 'acme/package.json');
    await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('"credentials/greeter-api.js"', ''));
    expect((await sluice('check', join(folder, 'acme'))).error).toBe(
      'acme.greeting: neither the package nor Sluice has the credential type acmeApi',
    );
  });

  test('list prints loaded packages, and the reason why others are not loaded', async () => {
    expect((await sluice('list')).lines).toEqual(['SLUICE_NODES_DIR is not set: no node packages are loaded']);
    await sluice('new', 'acme', '--folder', folder);
    await sluice('new', 'other', '--folder', folder);
    process.env = { ...saved, SLUICE_NODES_DIR: folder, SLUICE_NODES_ALLOW: 'acme' };
    const { lines, warnings } = await sluice('list');
    expect(lines).toEqual(['acme 0.1.0', '  node        acme.greeting', '  credential  acmeApi']);
    expect(warnings).toEqual(['other is not loaded: SLUICE_NODES_ALLOW does not name it']);
    const [document = ''] = (await sluice('list', '--json')).lines;
    expect(JSON.parse(document)).toEqual({
      packages: [{ name: 'acme', version: '0.1.0', nodeTypes: ['acme.greeting'], credentialTypes: ['acmeApi'], skipped: [] }],
      failures: [{ package: 'other', reason: 'SLUICE_NODES_ALLOW does not name it' }],
    });
  });

  test.each([
    ['an endless exit handler', "process.on('exit', () => { for (;;); });"],
    ['a timer, and a listener on standard input', 'process.stdin.resume(); setInterval(() => {}, 1000);'],
    ['a thread with an endless loop', "new (await import('node:worker_threads')).Worker('for (;;);', { eval: true });"],
  ])('list ends even if a package has started %s', async (_, text) => {
    await sluice('new', 'acme', '--folder', folder);
    const node = join(folder, 'acme/nodes/greeting.js');
    await writeFile(node, `${text}\n${await readFile(node, 'utf8')}`);
    const env = { PATH: saved['PATH'], SLUICE_NODES_DIR: folder };
    const { stdout } = await run(process.execPath, [builtCommand, 'nodes', 'list'], { env });
    expect(stdout).toContain('acme 0.1.0');
  });

  test('list and check report uncaught errors of a package; they neither end early nor wait for the package', async () => {
    const isTrial = '/trial-process/.test(process.argv[1])';
    const prologue = `setInterval(() => {}, 1_000);
      if (!${isTrial}) { setTimeout(() => { throw Object.create(null); }, 0); Promise.reject('unseen'); }
      await new Promise((resolve) => setTimeout(resolve, 50));`;
    await sluice('new', 'a-late', '--folder', folder);
    await sluice('new', 'b-good', '--folder', folder);
    const file = join(folder, 'a-late/nodes/greeting.js');
    await writeFile(file, prologue + (await readFile(file, 'utf8')));
    const env = { PATH: saved['PATH'], SLUICE_NODES_DIR: folder };
    const cli = (...args: string[]) => run(process.execPath, [builtCommand, 'nodes', ...args], { env });
    const listed = await cli('list');
    expect(listed.stdout).toMatch(/^a-late 0\.1\.0\n[\s\S]*^b-good 0\.1\.0\n/m);
    const checked = await cli('check', join(folder, 'a-late'));
    expect(checked.stdout).toMatch(/^a-late is a valid package\n/);
    for (const { stderr } of [listed, checked]) {
      expect(stderr).toContain('a-late: uncaught error: unseen\n');
      expect(stderr).toContain('a-late: uncaught error: an error without a message\n');
    }
  });
});
