import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { findFreePort } from '@sluice/embedded';
import { builtCommand, eventually } from '@sluice/test-support';
import { type RunningProcess, type Settings, startProcess, startService } from './harness.ts';
import { stopIn } from './support/cleanup.ts';
import { queryDatabase } from './support/database.ts';
import { startOwnPostgres, startOwnRedis } from './support/own-servers.ts';

const stopAfterAll = stopIn(afterAll);

const [postgres, redis] = await Promise.all([startOwnPostgres(), startOwnRedis()]);
stopAfterAll(postgres);
stopAfterAll(redis);
const home = await mkdtemp(join(tmpdir(), 'sluice-e2e-starting-'));
const silent = createServer(() => undefined).listen(0, '127.0.0.1');
afterAll(async () => {
  silent.close();
  await rm(home, { recursive: true, force: true });
});

/** Runs a command until it exits. Resolves to its exit code, output, and duration. */
async function run(command: string, settings: Settings & Record<string, string>) {
  const startedAt = performance.now();
  const started = startProcess(command, '', { SLUICE_HOME: home, ...settings } as Settings);
  const { code } = await started.exited;
  return { code, output: started.output(), ms: performance.now() - startedAt };
}

function startUntil(command: string, settings: Settings & Record<string, string>): RunningProcess {
  return stopAfterAll(startProcess(command, '', { SLUICE_HOME: home, ...settings } as Settings));
}

describe('a start with an unreachable server fails within seconds and names host, port, and cause', () => {
  test('if nothing listens at the address', async () => {
    const [first, second] = [await findFreePort(), await findFreePort()];
    const settings = {
      DATABASE_URL: `postgres://x:secret@127.0.0.1:${first}/db`,
      REDIS_URL: `redis://:secret@127.0.0.1:${second}`,
    };
    const { code, output } = await run('up', settings);
    expect(code).toBe(3);
    expect(output).toContain(`Postgres at 127.0.0.1:${first} (database "db") cannot be used: connect ECONNREFUSED`);
    expect(output).toContain(`Redis at 127.0.0.1:${second} cannot be used: connect ECONNREFUSED`);
    expect(output).toContain('correct DATABASE_URL');
    expect(output).not.toContain('secret');
  });

  test('if the server accepts connections but never responds', async () => {
    const { port } = silent.address() as AddressInfo;
    const hanging = { DATABASE_URL: `postgres://x@127.0.0.1:${port}/db`, REDIS_URL: `redis://127.0.0.1:${port}` };
    const baseline = await run('up', { CONCURRENCY: 'many' }); // the time that a process takes to start
    const { code, output, ms } = await run('up', hanging);
    expect(code).toBe(3);
    expect(output).toMatch(new RegExp(`Postgres at 127\\.0\\.0\\.1:${port} .* cannot be used: .*(timeout|no response)`));
    expect(output).toMatch(new RegExp(`Redis at 127\\.0\\.0\\.1:${port} cannot be used: .*(timed out|no response)`));
    // The probes time out after 3 s; the rest allows for a busy machine.
    expect(ms - baseline.ms).toBeLessThan(60_000);
  });

  test('also for `migrate`, `worker`, and `audit`', async () => {
    const DATABASE_URL = `postgres://x@127.0.0.1:${await findFreePort()}/db`;
    for (const command of ['migrate', 'worker', 'audit']) {
      const { code, output } = await run(command, { DATABASE_URL, REDIS_URL: redis.url });
      expect([command, code, output]).toEqual([command, 3, expect.stringContaining(`connect ECONNREFUSED 127.0.0.1:`)]);
    }
  });
});

test('a worker that is started without the `sluice` command also exits with 3 and names the database', async () => {
  const DATABASE_URL = `postgres://x:secret@127.0.0.1:${await findFreePort()}/db`;
  const program = [join(builtCommand, '../../../worker/dist/main.js')];
  const worker = stopAfterAll(startProcess('', '', { DATABASE_URL, REDIS_URL: redis.url, WORKER_PORT: '0' }, program));
  expect(await worker.exited).toEqual({ code: 3, signal: null });
  const place = new URL(DATABASE_URL).host;
  expect(worker.output()).toContain(`sluice worker cannot start: Postgres at ${place}: the database cannot be reached`);
  expect(worker.output()).not.toContain('secret');
});

test('a mistyped setting is reported with the nearest name', async () => {
  const { output } = await run('up', { CONCURENCY: '5', DATABASE_URL: `postgres://x@127.0.0.1:${await findFreePort()}/db` });
  expect(output).toContain('CONCURENCY is not a setting of Sluice and has no effect');
  expect(output).toContain('did you mean CONCURRENCY?');
});

test('a standalone API logs the problem and waits', async () => {
  const PORT = String(await findFreePort());
  const DATABASE_URL = `postgres://x@127.0.0.1:${await findFreePort()}/db`;
  const api = startUntil('api', { PORT, DATABASE_URL, REDIS_URL: redis.url, REDIS_URI: 'x' });
  await eventually(() => /"level":"error".*"check":"database-unreachable"/.test(api.output()));
  expect(api.output()).toMatch(/"level":"warn".*"check":"unknown-setting".*REDIS_URI is not a setting/);
  await eventually(async () => (await fetch(`http://127.0.0.1:${PORT}/healthz`)).status === 200);
});

describe('SIGTERM during startup', () => {
  test('stops a worker whose Redis rejects the password, which has logged the error once', async () => {
    const port = await findFreePort();
    await redisCommand(`CONFIG SET port ${port}`);
    const REDIS_URL = `redis://sluice:secret@127.0.0.1:${port}`;
    const worker = startUntil('worker', { DATABASE_URL: postgres.url, REDIS_URL, WORKER_PORT: '0' });
    await eventually(() => worker.output().includes('"role":"consumer","error":"WRONGPASS'));
    await delay(2_000); // long enough for several attempts
    worker.signal('SIGTERM');
    expect(await worker.exited).toEqual({ code: 0, signal: null });
    expect(worker.output()).toContain('"msg":"worker stopped"');
    expect(worker.output().match(/"role":"consumer"|queue error/g)).toEqual(['"role":"consumer"']);
    expect(worker.output()).not.toContain('secret');
  });

  test.each(['api', 'worker', 'migrate'])('stops %s while it checks a database that does not respond', async (command) => {
    const { port } = silent.address() as AddressInfo;
    const DATABASE_URL = `postgres://x@127.0.0.1:${port}/db`;
    const connected = once(silent, 'connection');
    const started = startUntil(command, { DATABASE_URL, REDIS_URL: redis.url, PORT: '0', WORKER_PORT: '0' });
    await connected;
    started.signal('SIGTERM');
    const { code, signal } = await started.exited;
    expect(signal).toBeNull(); // the first process of a container ignores signals without a handler
    expect([0, 143]).toContain(code);
  });
});

test('a Redis that evicts keys is reported with the fix', async () => {
  await redisCommand('CONFIG SET maxmemory-policy allkeys-lru');
  const { output } = await run('up', {
    REDIS_URL: redis.url,
    DATABASE_URL: `postgres://x@127.0.0.1:${await findFreePort()}/db`,
  });
  expect(output).toContain('maxmemory-policy allkeys-lru');
  expect(output).toContain('CONFIG SET maxmemory-policy noeviction');
});

test('a Redis whose memory is full is reported', async () => {
  await redisCommand('CONFIG SET maxmemory 1mb');
  const { code, output } = await run('up', { REDIS_URL: redis.url, SLUICE_HOME: home });
  expect([code, output]).toEqual([
    1,
    expect.stringContaining('Redis accepts no writes: its memory is full (maxmemory is 1048576 bytes)'),
  ]);
  await redisCommand('CONFIG SET maxmemory 0');
});

/** Changes the configuration of the server directly. */
async function redisCommand(command: string): Promise<void> {
  const socket = createConnection(redis.url.replace('unix://', ''));
  socket.write(`${command}\r\n`);
  const reply = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
  socket.end();
  expect(reply).toBe('+OK\r\n');
}

test('a database that a newer release migrated is rejected by `up` and `migrate`, and reported by a worker', async () => {
  await queryDatabase(postgres.url, "INSERT INTO kysely_migration (name, timestamp) VALUES ('20991231T0000-from-afar', '')");
  const settings = { DATABASE_URL: postgres.url, REDIS_URL: redis.url };
  for (const command of ['up', 'migrate']) {
    const { code, output } = await run(command, settings);
    expect([command, code, output]).toEqual([
      command,
      1,
      expect.stringContaining('a newer release has migrated this database'),
    ]);
    expect(output).toContain('20991231T0000-from-afar');
  }
  const worker = startUntil('worker', settings);
  await eventually(() => /"check":"database-newer"/.test(worker.output()) && worker.output().includes('worker ready'));
  await worker.stop();
  await queryDatabase(postgres.url, "DELETE FROM kysely_migration WHERE name LIKE '2099%'");
});

test('a wrong master key is rejected with the ID of the right key', async () => {
  const settings = { DATABASE_URL: postgres.url, REDIS_URL: redis.url };
  const worker = startUntil('worker', settings);
  await eventually(() => worker.output().includes('worker ready'));
  await worker.stop();
  const wrong = await run('up', { ...settings, ENCRYPTION_KEY: 'another passphrase of many characters' });
  expect(wrong.code).toBe(1);
  expect(wrong.output).toMatch(/ENCRYPTION_KEY .* holds no key that opens .* set the key with the ID \S+/);
});

test('packages that cannot be loaded are reported once at startup, and failed executions with ID and reason', async () => {
  const folder = join(home, 'packages');
  await mkdir(join(folder, 'sluice-nodes-broken'), { recursive: true });
  const manifest = { name: 'sluice-nodes-broken', version: '1.0.0', sluice: { nodes: ['missing.js'] } };
  await writeFile(join(folder, 'sluice-nodes-broken', 'package.json'), JSON.stringify(manifest));
  const service = stopAfterAll(await startService({ settings: { SLUICE_NODES_DIR: folder } }));
  expect(service.output().match(/node package not loaded \(package sluice-nodes-broken\)/g)).toHaveLength(1);

  const nodes = [
    { id: '1', name: 'Start', type: 'base.manual-trigger', position: [0, 0], parameters: {} },
    { id: '2', name: 'Fail', type: 'base.stop-and-error', position: [200, 0], parameters: { errorMessage: 'not today' } },
  ];
  const connections = { Start: { main: [[{ node: 'Fail', type: 'main', index: 0 }]] } };
  await service.call('POST', '/workflows', { id: 'failing', name: 'Failing', nodes, connections });
  const { body } = await service.call('POST', '/workflows/failing/run', {});
  await eventually(() =>
    service.output().includes(`execution ended (execution ${body.executionId}, workflow failing, status error): not today`),
  );
});

test('`./dev` reads .env and explains an unknown command', async () => {
  const checkout = await mkdtemp(join(tmpdir(), 'sluice-e2e-dev-'));
  try {
    const root = new URL('../../', import.meta.url).pathname;
    for (const entry of ['apps', 'packages', 'node_modules', 'package.json', 'package-lock.json', 'tools'])
      await symlink(join(root, entry), join(checkout, entry));
    await writeFile(join(checkout, 'dev'), await readFile(join(root, 'dev')), { mode: 0o755 });
    await writeFile(join(checkout, '.env'), 'WORKERS=a few\nCONCURRENCY=5\n');
    const env = { PATH: process.env['PATH'] ?? '', HOME: home, CONCURRENCY: 'many' };
    const started = await runFile(join(checkout, 'dev'), ['start'], env);
    expect(started).toMatchObject({ code: 2, stderr: expect.stringContaining('WORKERS must be a whole number') });
    expect(started.stderr).toContain('CONCURRENCY must be'); // the environment takes precedence over the file
    const bogus = await runFile(join(checkout, 'dev'), ['bogus'], env);
    expect(bogus).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no command "bogus"') });
    expect(bogus.stderr).toMatch(/\.\/dev start .*\n(.*\n)*.*scripts: start /);
  } finally {
    await rm(checkout, { recursive: true, force: true });
  }
});

function runFile(file: string, args: string[], env: Record<string, string>): Promise<{ code: number; stderr: string }> {
  return new Promise((resolve) => {
    execFile(file, args, { env }, (error, _stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stderr }));
  });
}
