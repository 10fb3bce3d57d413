import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, lstat, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import { eventually } from '@sluice/test-support';
import { Redis } from 'ioredis';
import pg from 'pg';
import { type EmbeddedService, makeRuntimeDirectory, type ServiceOptions, startPostgres, startRedis } from '../src/index.ts';

const home = mkdtempSync(join(tmpdir(), 'sluice-embedded-'));
const runtimeDir = await makeRuntimeDirectory(home);
afterAll(async () => {
  await rm(home, { recursive: true, force: true });
  await rm(runtimeDir, { recursive: true, force: true });
});

function options(name: string): ServiceOptions {
  const logger = createLogger({ name: 'test', level: 'silent' });
  return { dataDir: join(home, name), runtimeDir, logFile: join(home, `${name}.log`), logger };
}

/** A server of another installation whose pid is in a stale file of ours. */
async function startAnother(start: (options: ServiceOptions) => Promise<EmbeddedService>, pidFile: string) {
  const folder = mkdtempSync('/tmp/sluice-another-');
  const service = await start({ ...options('another'), dataDir: join(folder, 'data'), runtimeDir: folder });
  let hasExited = false;
  void service.exited.then(() => {
    hasExited = true;
  });
  writeFileSync(join(home, pidFile), readFileSync(join(folder, 'data', basename(pidFile))));
  return {
    get hasExited() {
      return hasExited;
    },
    async stop() {
      await service.stop();
      await rm(folder, { recursive: true });
    },
  };
}

async function query(service: EmbeddedService, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: service.url });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

async function withRedis<T>(service: EmbeddedService, use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(service.url);
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

const postgresPid = () => Number.parseInt(readFileSync(join(home, 'postgres', 'postmaster.pid'), 'utf8'), 10);

describe('Postgres', () => {
  test('data survives a restart', async () => {
    const first = await startPostgres(options('postgres'));
    await query(first, 'create table kept as select 1 as n');
    await first.stop();

    const second = await startPostgres(options('postgres'));
    expect(await query(second, 'select n from kept')).toEqual([{ n: 1 }]);
    await second.stop();
  });

  test('a kill loses no committed rows', async () => {
    const first = await startPostgres(options('postgres'));
    await query(first, 'create table after_kill as select generate_series(1, 100) as n');
    process.kill(postgresPid(), 'SIGKILL');
    await first.exited;

    const second = await startPostgres(options('postgres'));
    expect(await query(second, 'select count(*)::int as n from after_kill')).toEqual([{ n: 100 }]);
    await second.stop();
  });

  test('a running server is adopted, not started twice, and can be stopped by its adopter', async () => {
    const first = await startPostgres(options('postgres'));
    const pid = postgresPid();

    const adopted = await startPostgres(options('postgres'));
    expect(postgresPid()).toBe(pid);
    await adopted.stop();

    await first.exited;
  });

  test('a pid file that names an unrelated process does not prevent the start', async () => {
    writeFileSync(join(home, 'postgres', 'postmaster.pid'), `${process.pid}\n/somewhere\n1\n5432\n`);

    const service = await startPostgres(options('postgres'));
    expect(await query(service, 'select 1 as n')).toEqual([{ n: 1 }]);
    await service.stop();
  });

  test('a pid file that names the Postgres of another installation is not followed', async () => {
    const another = await startAnother(startPostgres, 'postgres/postmaster.pid');
    const service = await startPostgres(options('postgres'));
    expect([await query(service, 'select n from kept'), another.hasExited]).toEqual([[{ n: 1 }], false]);
    await service.stop();
    await another.stop();
  });

  test('a start with the data of another major version fails and names both versions', async () => {
    const dataDir = join(home, 'old');
    await mkdir(dataDir, { mode: 0o700 });
    writeFileSync(join(dataDir, 'PG_VERSION'), '12\n');

    await expect(startPostgres({ ...options('old'), dataDir })).rejects.toThrow(
      /has the data of Postgres 12, .* starts Postgres \d\d/,
    );
  });

  test('a start with data whose version cannot be read fails with the location of the log', async () => {
    const dataDir = join(home, 'broken');
    await mkdir(join(dataDir, 'PG_VERSION'), { recursive: true, mode: 0o700 });

    await expect(startPostgres({ ...options('broken'), dataDir })).rejects.toThrow(/did not start; see .*broken\.log/);
  });

  test('strings sort by code point, regardless of the machine’s locale', async () => {
    const service = await startPostgres(options('postgres'));
    const rows = await query(
      service,
      `select string_agg(x, '' order by x) as s, lower('Ä') as l from unnest(array['b', 'A', 'a', 'B']) x`,
    );
    expect(rows).toEqual([{ s: 'ABab', l: 'ä' }]);
    await service.stop();
  });
});

describe('Redis', () => {
  test('data survives a restart and a kill, and nothing is ever evicted', async () => {
    const first = await startRedis(options('redis'));
    const pid = await withRedis(first, async (redis) => {
      await redis.set('kept', 'yes');
      expect(await redis.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
      await redis.wait(0, 1);
      return Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1]);
    });
    await new Promise((resolve) => setTimeout(resolve, 1100)); // appendfsync everysec
    process.kill(pid, 'SIGKILL');
    await first.exited;

    const second = await startRedis(options('redis'));
    expect(await withRedis(second, (redis) => redis.get('kept'))).toBe('yes');
    await second.stop();
  });

  test('a running server is adopted', async () => {
    const first = await startRedis(options('redis'));
    await withRedis(first, (redis) => redis.set('adopted', 'yes'));

    const adopted = await startRedis(options('redis'));
    expect(await withRedis(adopted, (redis) => redis.get('adopted'))).toBe('yes');
    await adopted.stop();

    await first.exited;
  });

  test('the Redis of another installation that a pid file names is not stopped', async () => {
    const another = await startAnother(startRedis, 'redis/redis.pid');
    const service = await startRedis(options('redis'));
    expect([await withRedis(service, (redis) => redis.get('kept')), another.hasExited]).toEqual(['yes', false]);
    await service.stop();
    await another.stop();
  });
});

describe('a Redis that is downloaded first', () => {
  const searchPath = process.env['PATH'] ?? '';
  afterEach(() => {
    process.env['PATH'] = searchPath;
  });

  test('a stop during the download aborts it and leaves no files behind', async () => {
    const folder = mkdtempSync(join(home, 'download-'));
    const [bin, cacheDir, pidFile] = ['bin', 'cache', 'pid'].map((name) => join(folder, name)) as [string, string, string];
    await mkdir(bin);
    for (const name of ['apt-get', 'dpkg-deb'])
      writeFileSync(join(bin, name), `#!/bin/sh\necho $$ > ${pidFile}\nexec sleep 600\n`, { mode: 0o755 });
    process.env['PATH'] = `${bin}:${searchPath}`;
    const stop = new AbortController();

    const starting = startRedis({ ...options('none'), host: { searchPath: [bin], cacheDir }, signal: stop.signal });
    const failure = expect(starting).rejects.toThrow('asked to stop');
    const pid = await eventually(() => existsSync(pidFile) && Number(readFileSync(pidFile, 'utf8')));
    stop.abort(new Error('asked to stop'));

    await failure;
    expect(readdirSync(cacheDir)).toEqual([]);
    await eventually(() => !existsSync(`/proc/${pid}`));
  });
});

describe('the runtime directory', () => {
  test('is the same for a home each time, and private', async () => {
    await chmod(runtimeDir, 0o755);

    expect(await makeRuntimeDirectory(home)).toBe(runtimeDir);
    expect((await lstat(runtimeDir)).mode & 0o777).toBe(0o700);
  });
});
