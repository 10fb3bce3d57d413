import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ApiKeyRepository, createDatabase, ensureBootstrap, migrateToLatest } from '@sluice/db';
import { scopes } from '@sluice/domain';
import { makeRuntimeDirectory, startPostgres } from '@sluice/embedded';
import { createLogger } from '@sluice/logger';
import { buildPrograms, builtCommand, compileCache, testDatabase } from '@sluice/test-support';
import { runProgram } from '../src/run-program.ts';

await buildPrograms();
const database = await testDatabase();
const keys = new ApiKeyRepository(database.db.kysely);
afterAll(() => database.drop());

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

type Settings = Record<string, string>;
const databaseSettings = (): Settings => ({ DATABASE_URL: database.url });

/** Runs the built command, optionally with a prefix such as `unshare`. */
async function builtSluice(
  args: readonly string[],
  settings = databaseSettings(),
  prefix: readonly string[] = [],
): Promise<Ended> {
  const [file = '', ...others] = [...prefix, process.execPath, builtCommand, ...args];
  const child = spawn(file, others, {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_COMPILE_CACHE: compileCache, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ]);
  return { code, stdout: out, stderr: errors };
}

/** Runs a command in this process, which is ten times as fast. */
async function sluice(args: readonly string[], settings = databaseSettings()): Promise<Ended> {
  const { env } = process;
  const lines: string[] = [];
  const warnings: string[] = [];
  const terminal = {
    line: (line: string) => void lines.push(`${line}\n`),
    warn: (line: string) => void warnings.push(`${line}\n`),
  };
  process.env = { PATH: env['PATH'], HOME: env['HOME'], ...settings };
  try {
    const code = await runProgram(args, terminal);
    return { code, stdout: lines.join(''), stderr: warnings.join('') };
  } finally {
    process.env = env;
  }
}

/** Prefix that runs a program as a user without a name, as is common in containers. */
const namespace = 'unshare';
const asNameless = [namespace, '--user', '--map-user=54321', '--map-group=54321'];
const withNamespaces = spawnSync(namespace, [...asNameless.slice(1), 'true']).status === 0 ? test : test.skip;

async function json(args: readonly string[], settings?: Settings, run = sluice) {
  const { code, stdout, stderr } = await run([...args, '--json'], settings);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

describe('sluice', () => {
  test('users create prints the user, its personal project, and a working key', async () => {
    const created = await json(['users', 'create', '--email', 'Ann@Example.com', '--role', 'member'], undefined, builtSluice);
    expect(created.user).toMatchObject({ email: 'ann@example.com', role: 'member', personalProjectId: created.project.id });
    expect(created.project).toMatchObject({ name: 'ann@example.com', type: 'personal' });
    expect(created.apiKey).toMatchObject({ scopes, expiresAt: null, apiKey: expect.stringContaining('********') });
    expect(await keys.findByRawKey(created.rawApiKey)).toMatchObject({ state: 'known', key: { userId: created.user.id } });
  });

  test('keys create creates a key for a user with the given scopes', async () => {
    await json(['users', 'create', '--email', 'bob@example.com', '--role', 'member']);
    const args = ['keys', 'create', '--user', 'bob@example.com', '--scopes', 'workflow:read,execution:list'];
    const created = await json([...args, '--expires-at', '4102444800']);
    expect(created).toMatchObject({ scopes: ['workflow:read', 'execution:list'], expiresAt: 4_102_444_800 });
    expect(await keys.findByRawKey(created.rawApiKey)).toMatchObject({ key: { scopes: created.scopes } });
    const { stdout } = await sluice(args);
    expect(stdout).toMatch(
      /^id {6}\w{16}\nuser {4}bob@example\.com\nscopes {2}workflow:read,execution:list\nkey {5}sluice_\w{46}\n$/,
    );
  });

  test('projects create creates a team project; add-member adds a member or changes its role', async () => {
    const { user } = await json(['users', 'create', '--email', 'eve@example.com', '--role', 'member']);
    const project = await json(['projects', 'create', '--name', 'Ops']);
    expect(project).toMatchObject({ name: 'Ops', type: 'team' });
    for (const role of ['project:viewer', 'project:admin']) {
      const args = ['projects', 'add-member', '--project', project.id, '--email', 'Eve@example.com', '--role', role];
      expect(await json(args)).toEqual({ projectId: project.id, userId: user.id, email: 'eve@example.com', role });
    }
  });

  test('variables are set, listed, and deleted', async () => {
    await sluice(['variables', 'set', 'region', 'us']);
    expect((await sluice(['variables', 'set', 'region', 'eu \u001b[31m'])).stdout).toBe('set  region\n');
    expect(await json(['variables', 'list'])).toEqual([{ key: 'region', value: 'eu \u001b[31m' }]);
    expect((await sluice(['variables', 'list'])).stdout).toBe('region  eu \\u001b[31m\n');
    expect((await json(['audit', '--object', 'variable', '--limit', '1']))[0]).toMatchObject({
      action: 'variable.set',
      objectName: 'region',
    });
    expect((await sluice(['variables', 'delete', 'region'])).stdout).toBe('deleted  region\n');
    expect(await json(['variables', 'list'])).toEqual([]);
  });

  test('audit prints matching actions, oldest first, without secrets', async () => {
    const created = await json(['users', 'create', '--email', 'kim@example.com', '--role', 'admin']);
    await json(['projects', 'create', '--name', 'Audited \u001b[31m']);
    const all = await json(['audit']);
    expect(all.at(-2)).toMatchObject({ action: 'user.create', objectId: created.user.id, objectName: 'kim@example.com' });
    expect(all.at(-1)).toMatchObject({ action: 'project.create', outcome: 'success', actor: expect.stringMatching(/^cli:/) });
    expect(JSON.stringify(all)).not.toContain(created.rawApiKey);
    expect(await json(['audit', '--object', created.user.id])).toHaveLength(1);
    expect(await json(['audit', '--object', 'project', '--limit', '1'])).toEqual([all.at(-1)]);
    expect(await json(['audit', '--actor', all[0].actor])).toEqual(all);
    expect(await json(['audit', '--since', '2099-01-01'])).toEqual([]);
    expect((await json(['audit', '--since', '1h'])).length).toBe(all.length);
    const { stdout } = await sluice(['audit', '--object', 'project', '--limit', '1']);
    expect(stdout).toMatch(/^\S+Z {2}success {2}project\.create {2}project \w{16} Audited \\u001b\[31m {2}by cli:\w+\n$/);
  });

  withNamespaces('the actor of a user without a name is the user ID', async () => {
    const ended = await builtSluice(['variables', 'set', 'zone', 'a'], databaseSettings(), asNameless);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect((await json(['audit', '--object', 'zone'])).at(-1)).toMatchObject({ action: 'variable.set', actor: 'cli:54321' });
  });

  test('after a lost key, the owner gets a new key without --user, finds the lost key, and revokes it', async () => {
    await ensureBootstrap(database.db.kysely, { bootstrapApiKey: 'the-lost-key-of-the-owner' });
    const users = await json(['users', 'list']);
    const owner = users.find(({ role }: { role: string }) => role === 'owner');
    const created = await json(['keys', 'create', '--label', 'found again']);
    expect(await keys.findByRawKey(created.rawApiKey)).toMatchObject({ key: { userId: owner.id, role: 'owner' } });
    const listed = await json(['keys', 'list']);
    expect(listed.map(({ label }: { label: string }) => label)).toEqual(['found again', 'first key']);
    expect(JSON.stringify(listed)).not.toContain(created.rawApiKey);
    await json(['keys', 'revoke', listed[1].id]);
    expect((await json(['keys', 'list'])).map(({ id }: { id: string }) => id)).toEqual([created.id]);
    expect((await json(['audit', '--object', listed[1].id])).at(-1)).toMatchObject({ action: 'apiKey.revoke' });
    expect((await sluice(['keys', 'revoke', listed[1].id])).stderr).toBe(`sluice: API key ${listed[1].id} does not exist\n`);
    expect((await sluice(['users', 'list'])).stdout).toMatch(new RegExp(`^${owner.id} {2}owner@localhost\\s+owner$`, 'm'));
  });

  test('a slow reader receives all of a long output', async () => {
    const child = spawn(process.execPath, [builtCommand, 'credentials', 'types', '--json'], {
      env: { PATH: process.env['PATH'], SLUICE_HOME: '/nonexistent', NODE_COMPILE_CACHE: compileCache },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    for await (const chunk of child.stdout) {
      output += String(chunk);
      await setTimeout(50);
    }
    expect(output.length).toBeGreaterThan(200_000);
    expect(() => JSON.parse(output)).not.toThrow();
  });

  test('the command ends without an error when its reader closes the pipe', async () => {
    const child = spawn(process.execPath, [builtCommand, 'credentials', 'types', '--json'], {
      env: { PATH: process.env['PATH'], SLUICE_HOME: '/nonexistent', NODE_COMPILE_CACHE: compileCache },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.once('data', () => child.stdout.destroy());
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += String(chunk);
    });
    await once(child, 'close');
    expect(errors).toBe('');
  });

  test('credentials types and --version need no database', async () => {
    const none = { SLUICE_HOME: '/nonexistent' };
    const types = await json(['credentials', 'types'], none, builtSluice);
    expect(types).toContainEqual(expect.objectContaining({ name: 'httpHeaderAuth', schema: expect.anything() }));
    const { stdout } = await builtSluice(['credentials', 'types'], none);
    expect(stdout).toMatch(/^httpHeaderAuth +Header Auth +name value/m);
    expect((await builtSluice(['--version'], none)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.each([
    [['users', 'create', '--email', 'ann', '--role', 'member'], '--email must be an email address', 2],
    [['users', 'create', '--email', 'x@example.com', '--role', 'king'], '--role must be one of owner, admin, member', 2],
    [['users', 'create', '--role', 'member'], "required option '--email <email>'", 2],
    [['keys', 'create', '--user', 'no@body'], 'there is no user with the email no@body', 1],
    [['keys', 'create', '--expires-at', '4102444800000'], '--expires-at must be', 2],
    [['projects', 'create', '--name', ' '], '--name must be well-formed text that is not blank', 2],
    [['projects', 'add-member', '--project', 'none', '--email', 'no@body', '--role', 'project:viewer'], 'there is no user', 1],
    [
      ['projects', 'add-member', '--project', 'p', '--email', 'e', '--role', 'viewer'],
      '--role must be one of project:viewer',
      2,
    ],
    [['audit', '--since', 'soon'], '--since must be', 2],
    [['audit', '--limit', '0'], '--limit must be', 2],
  ])('%j fails with a one-line message, and points to the help if an option is missing', async (args, message, exitCode) => {
    const { code, stdout, stderr } = await sluice(args);
    expect([code, stdout]).toEqual([exitCode, '']);
    expect(stderr).toContain(message);
    const [, ...moreLines] = stderr.trim().split('\n');
    expect(moreLines).toEqual(message.startsWith('required option') ? ['see `sluice users create --help`'] : []);
  });

  test('the built command exits with the right exit code', async () => {
    const message = 'there is no user with the email no@body';
    const { code, stdout, stderr } = await builtSluice(['keys', 'create', '--user', 'no@body']);
    expect([code, stdout, stderr]).toEqual([1, '', `sluice: ${message}\n`]);
  });

  test('an email that another user has is rejected', async () => {
    await json(['users', 'create', '--email', 'twice@example.com']);
    const again = await sluice(['users', 'create', '--email', 'TWICE@example.com']);
    expect([again.code, again.stderr]).toEqual([1, 'sluice: a user with the email twice@example.com already exists\n']);
  });
});

describe('without DATABASE_URL', () => {
  test('commands use the database of a running `sluice up`; otherwise the error explains what to do', async () => {
    const home = await mkdtemp(join(tmpdir(), 'sluice-cli-'));
    const runtimeDir = await makeRuntimeDirectory(home);
    const logger = createLogger({ name: 'test', level: 'silent' });
    const files = { dataDir: join(home, 'postgres'), logFile: join(home, 'postgres.log') };
    const create = ['projects', 'create', '--name', 'Ops'];
    const postgres = await startPostgres({ ...files, runtimeDir, logger, durable: false });
    try {
      const pending = await sluice(create, { SLUICE_HOME: home });
      expect([pending.code, pending.stderr]).toEqual([3, expect.stringContaining('sluice migrate')]);
      const db = createDatabase({ url: postgres.url });
      await migrateToLatest(db);
      await db.close();
      expect(await json(create, { SLUICE_HOME: home })).toMatchObject({ name: 'Ops' });
    } finally {
      await postgres.stop();
    }
    const stopped = await sluice(create, { SLUICE_HOME: home });
    expect([stopped.code, stopped.stderr]).toEqual([1, expect.stringContaining(`\`sluice up\` is not running in ${home}`)]);
    const otherHome = join(home, 'mistyped');
    expect((await sluice(create, { SLUICE_HOME: otherHome })).stderr).toContain(`is not running in ${otherHome}`);
    expect(existsSync(otherHome)).toBe(false);
    await rm(runtimeDir, { recursive: true, force: true });
    await rm(home, { recursive: true, force: true });
  });
});
