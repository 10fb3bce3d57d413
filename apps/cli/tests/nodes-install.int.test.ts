import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { buildPrograms, builtCommand, compileCache } from '@sluice/test-support';
import { type NpmRegistry, npmRegistry } from './support/npm-registry.ts';

const run = promisify(execFile);
let folder: string;
let registry: NpmRegistry;

beforeAll(buildPrograms);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-install-'));
  registry = await npmRegistry();
});
afterEach(async () => {
  await registry.close();
  await rm(folder, { recursive: true });
});

const nodesDir = () => join(folder, 'nodes');

/** Runs a `nodes` command and resolves to its exit code and output. */
async function sluice(args: string[], settings: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    NODE_COMPILE_CACHE: compileCache,
    SLUICE_NODES_DIR: nodesDir(),
    npm_config_registry: registry.url,
    npm_config_cache: join(folder, 'cache'),
    npm_config_fetch_retries: '0',
    ...settings,
  };
  try {
    const { stdout, stderr } = await run(process.execPath, [builtCommand, 'nodes', ...args], { env });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

const node = (name: string) => `export default {
  description: { displayName: 'A', name: '${name}', group: ['transform'], version: 1, inputs: ['main'], outputs: ['main'], properties: [] },
  execute: (context) => [[...context.items()]],
};`;

/** Publishes a package with a node type. `files` and `manifest` override the defaults. */
async function publish(
  version: string,
  { manifest = {}, files = {} }: { manifest?: object; files?: Record<string, string> } = {},
) {
  const source = join(folder, `source-${version}`);
  await mkdir(source);
  const packageJson = {
    name: 'sluice-nodes-acme',
    version,
    license: 'MIT',
    type: 'module',
    sluice: { nodes: ['greet.js'] },
    scripts: { install: `touch ${join(folder, 'script-ran')}` },
    ...manifest,
  };
  const all = { 'package.json': JSON.stringify(packageJson), 'greet.js': node('greet'), ...files };
  for (const [file, text] of Object.entries(all)) await writeFile(join(source, file), text);
  await registry.publish(source);
}

async function dependencies(): Promise<unknown> {
  return (JSON.parse(await readFile(join(nodesDir(), 'package.json'), 'utf8')) as { dependencies?: unknown }).dependencies;
}

test('install shows the license and checksum, installs the exact version without running scripts, and lists its types', async () => {
  await publish('1.2.3');
  await publish('1.3.0');
  const { code, output } = await sluice(['install', 'sluice-nodes-acme@1.2.3', '--yes']);
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(/^sluice-nodes-acme 1\.2\.3\n {2}license {4}MIT\n {2}integrity {2}sha512-/),
  ]);
  expect(output).toContain('  node        sluice-nodes-acme.greet\n');
  expect(output).toContain('sluice-nodes-acme 1.2.3 is installed; restart every API and worker process\n');
  expect(await dependencies()).toEqual({ 'sluice-nodes-acme': '1.2.3' });
  await expect(access(join(folder, 'script-ran'))).rejects.toThrow();
});

test('install asks first, and installs nothing if standard input is not a terminal', async () => {
  await publish('1.2.3');
  expect(await sluice(['install', 'sluice-nodes-acme'])).toEqual({ code: 1, output: expect.stringContaining('--yes') });
  expect(await dependencies()).toBeUndefined();
});

test('install rejects URLs, files, aliases, and packages that are not in the registry', async () => {
  for (const spec of ['https://a.test/x.tgz', 'a@npm:b', '--global', 'base'])
    expect(await sluice(['install', '--yes', '--', spec])).toEqual({
      code: 1,
      output: expect.stringContaining('does not name a package in the npm registry'),
    });
  expect((await sluice(['install', 'sluice-nodes-none', '--yes'])).output).toMatch(/404|not found/i);
});

test('install fails if an archive does not match its checksum', async () => {
  await publish('1.2.3');
  registry.corrupt();
  const { code, output } = await sluice(['install', 'sluice-nodes-acme', '--yes']);
  expect([code, output]).toEqual([1, expect.stringMatching(/integrity|checksum/i)]);
});

test('a package that the service rejects is removed again', async () => {
  await publish('1.2.3', { files: { 'greet.js': 'throw new Error("no luck")' } });
  const { code, output } = await sluice(['install', 'sluice-nodes-acme', '--yes']);
  expect([code, output]).toEqual([
    1,
    expect.stringContaining('cannot be loaded and was removed: greet.js cannot be loaded: no luck'),
  ]);
  expect(await dependencies()).toBeUndefined();
});

test('update installs the newest version, and keeps the old one if the new one is rejected', async () => {
  await publish('1.2.3');
  await sluice(['install', 'sluice-nodes-acme', '--yes']);
  await publish('1.3.0');
  const updated = await sluice(['update', '--yes']);
  expect(updated.output).toContain('sluice-nodes-acme 1.2.3 → 1.3.0\n');
  expect(await dependencies()).toEqual({ 'sluice-nodes-acme': '1.3.0' });
  expect((await sluice(['update', 'sluice-nodes-acme'])).output).toBe('sluice-nodes-acme 1.3.0 is the newest version\n');
  await publish('8.1.0', { manifest: { name: 'a-library', sluice: undefined }, files: { 'index.js': '' } });
  await publish('2.0.0', {
    manifest: { peerDependencies: { 'a-library': '^8' } },
    files: { 'greet.js': 'throw new Error("no luck")' },
  });
  expect((await sluice(['update', '--yes'])).output).toContain('cannot be loaded and was replaced by 1.3.0: greet.js');
  expect((await sluice(['list'])).output).toContain('sluice-nodes-acme 1.3.0\n');
  expect(await dependencies()).toEqual({ 'sluice-nodes-acme': '1.3.0' });
});

test('if npm cannot remove a rejected package, the error contains the command that removes it', async () => {
  const spoil = `import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(join(nodesDir(), 'package.json'))}, 'not JSON');
throw new Error('no luck');`;
  await publish('1.2.3', { files: { 'greet.js': spoil } });
  const { code, output } = await sluice(['install', 'sluice-nodes-acme', '--yes']);
  expect([code, output]).toEqual([1, expect.stringMatching(/is still in .*`npm uninstall sluice-nodes-acme`.*no luck/)]);
});

test('a rejected update keeps the library that the previous update added', async () => {
  const other = { name: 'sluice-nodes-other' };
  await publish('8.1.0', { manifest: { name: 'a-library', sluice: undefined }, files: { 'index.js': '' } });
  await publish('1.2.3');
  await publish('1.2.4', { manifest: other, files: { 'greet.js': node('other') } });
  for (const name of ['sluice-nodes-acme', 'sluice-nodes-other']) await sluice(['install', name, '--yes']);
  const peers = { peerDependencies: { 'a-library': '^8' } };
  await publish('2.0.0', { manifest: peers });
  await publish('2.0.1', { manifest: { ...other, ...peers }, files: { 'greet.js': 'throw new Error("no luck")' } });
  expect((await sluice(['update', '--yes'])).output).toContain('sluice-nodes-other 2.0.1 cannot be loaded and was replaced');
  expect(await dependencies()).toEqual({
    'a-library': '8.1.0',
    'sluice-nodes-acme': '2.0.0',
    'sluice-nodes-other': '1.2.4',
  });
});

test('install adds required peer dependencies, except modules that the service provides', async () => {
  await publish('8.1.0', {
    manifest: { name: 'socket-lib', exports: './index.js' },
    files: { 'index.js': 'export const peer = true;' },
  });
  await publish('1.2.3', {
    manifest: {
      peerDependencies: { 'socket-lib': '^8', 'n8n-workflow': '*', unwanted: '*' },
      peerDependenciesMeta: { unwanted: { optional: true } },
    },
    files: { 'greet.js': `import { peer } from 'socket-lib'; if (!peer) throw 0;\n${node('greet')}` },
  });
  const { code, output } = await sluice(['install', 'sluice-nodes-acme', '--yes']);
  expect([code, output]).toEqual([0, expect.stringContaining('  needs      socket-lib ^8\n')]);
});

test.each([
  ['--registry=http://127.0.0.1:9/', '1'],
  ['a-library', 'file:../elsewhere'],
  ['a-library', 'git+ssh://git@127.0.0.1/a.git'],
  ['a-library', 'someone/repository'],
])('install rejects a package that needs %s@%s, which is not in the registry', async (peer, range) => {
  await publish('1.2.3', { manifest: { peerDependencies: { [peer]: range } } });
  const { code, output } = await sluice(['install', 'sluice-nodes-acme', '--yes']);
  expect([code, output]).toEqual([
    1,
    expect.stringContaining(`sluice-nodes-acme@1.2.3 needs ${peer}@${range}, which is not in the registry`),
  ]);
  expect(await dependencies()).toBeUndefined();
});

test.each([
  ['a repository', () => `git+file://${join(folder, 'repository')}`],
  ['a URL', () => `${registry.url}/a-library/-/8.1.0`],
  ['a folder', () => `file:${join(folder, 'source-8.1.0')}`],
])('install rejects a package with a dependency from %s', async (_, specifier) => {
  await publish('8.1.0', {
    manifest: { name: 'a-library', sluice: undefined, exports: './index.js' },
    files: { 'index.js': '' },
  });
  const repository = { cwd: join(folder, 'repository') };
  await mkdir(repository.cwd);
  await writeFile(join(repository.cwd, 'package.json'), '{"name":"a-library","version":"1.0.0"}');
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@a.test'];
  await run('git', ['init', '--quiet'], repository);
  await run('git', ['add', '.'], repository);
  await run('git', [...identity, 'commit', '--quiet', '--message', 'a'], repository);
  await publish('1.2.3', { manifest: { dependencies: { 'a-library': specifier() } } });
  const { code, output } = await sluice(['install', 'sluice-nodes-acme', '--yes']);
  expect([code, output]).toEqual([1, expect.stringContaining('npm install failed')]);
  expect(await dependencies()).toBeUndefined();
});

test('update does not update peer dependencies', async () => {
  const library = { manifest: { name: 'a-library', sluice: undefined }, files: { 'index.js': '' } };
  const types = { manifest: { peerDependencies: { 'a-library': '^8' } } };
  await publish('8.1.0', library);
  await publish('1.2.3', types);
  await sluice(['install', 'sluice-nodes-acme', '--yes']);
  await publish('9.0.0', library);
  await publish('1.3.0', types);
  const { code, output } = await sluice(['update', '--yes']);
  expect([code, output]).toEqual([0, expect.stringContaining('sluice-nodes-acme 1.3.0 is installed')]);
  expect(await dependencies()).toEqual({ 'a-library': '8.1.0', 'sluice-nodes-acme': '1.3.0' });
});

test('update skips aliases and packages from files, even if the registry has packages of the same name', async () => {
  await publish('1.2.3', { manifest: { name: '@fork/acme' } });
  await publish('9.0.0');
  await publish('9.0.1', { manifest: { name: 'sluice-nodes-own' } });
  const own = join(folder, 'own');
  await mkdir(own);
  const manifest = { name: 'sluice-nodes-own', version: '1.0.0', type: 'module', sluice: { nodes: ['greet.js'] } };
  for (const [file, text] of Object.entries({ 'package.json': JSON.stringify(manifest), 'greet.js': node('greet') }))
    await writeFile(join(own, file), text);
  await mkdir(nodesDir());
  await writeFile(join(nodesDir(), 'package.json'), '{}');
  const env = { ...process.env, npm_config_registry: registry.url, npm_config_cache: join(folder, 'cache') };
  const specs = ['sluice-nodes-acme@npm:@fork/acme@1.2.3', own];
  await run('npm', ['install', '--prefix', nodesDir(), '--no-audit', '--no-fund', ...specs], { env, cwd: nodesDir() });
  const before = await dependencies();
  const all = await sluice(['update', '--yes']);
  expect([all.code, all.output]).toEqual([0, expect.stringContaining('sluice-nodes-acme was installed from npm:@fork/acme@')]);
  expect(all.output).toContain('sluice-nodes-own was installed from file:');
  const one = await sluice(['update', 'sluice-nodes-acme', '--yes']);
  expect([one.code, one.output]).toEqual([1, expect.stringContaining('update it with npm')]);
  expect(await dependencies()).toEqual(before);
});

test('remove removes an installed package', async () => {
  await publish('1.2.3');
  await sluice(['install', 'sluice-nodes-acme', '--yes']);
  expect((await sluice(['remove', 'sluice-nodes-acme'])).output).toBe(
    'sluice-nodes-acme was removed; restart every API and worker process\n',
  );
  expect((await sluice(['list'])).output).not.toContain('acme');
  expect((await sluice(['remove', 'sluice-nodes-acme'])).output).toContain('npm has not installed sluice-nodes-acme');
});

test('install warns if SLUICE_NODES_ALLOW does not include the package', async () => {
  await publish('1.2.3');
  const { output } = await sluice(['install', 'sluice-nodes-acme', '--yes', '--json'], { SLUICE_NODES_ALLOW: 'other' });
  expect(output).toContain('SLUICE_NODES_ALLOW does not name sluice-nodes-acme');
  expect(JSON.parse(output.split('\n')[0] ?? '')).toMatchObject({
    version: '1.2.3',
    license: 'MIT',
    nodeTypes: ['sluice-nodes-acme.greet'],
    skipped: [],
  });
});
