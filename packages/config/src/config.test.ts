import { isAbsolute } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ConfigError, type RawEnv, requireEncryptionKeys, requireServices, toConfig } from './index.ts';

function problemsOf(act: () => unknown): readonly string[] {
  try {
    act();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('toConfig', () => {
  test('an empty environment results in working defaults', () => {
    const config = toConfig({});

    expect(config.http).toMatchObject({ host: '127.0.0.1', port: 5678, keyHeader: 'X-SERVICE-API-KEY', runWaitMs: 10_000 });
    expect(config.worker).toMatchObject({ count: 1, concurrency: 'auto', leaseMs: 15_000 });
    expect(config.database.url).toBeNull();
    expect(isAbsolute(config.home)).toBe(true);
  });

  test('node commands do not run as the user that an embedded Postgres may run as', () => {
    const { commands } = toConfig({ EXECUTE_COMMAND_ALLOW: '/bin/echo' });
    expect([commands?.uid, commands?.gid]).not.toContain(65_534);
  });

  test('all problems are reported at once, each with the name of its variable', () => {
    const problems = problemsOf(() => toConfig({ PORT: 'http', TIMEZONE: 'Mars/Olympus', DATABASE_URL: 'mysql://x' }));

    expect(problems).toEqual([
      'PORT must be a whole number from 0 to 65535',
      'DATABASE_URL must start with postgres:// or postgresql://; its target_session_attrs may be any, read-write, or primary',
      'TIMEZONE must be an IANA time zone such as Europe/Vienna',
    ]);
  });

  test('CONCURRENCY is "auto" or a number', () => {
    expect(toConfig({ CONCURRENCY: '7' }).worker.concurrency).toBe(7);
    expect(toConfig({ CONCURRENCY: 'auto' }).worker.concurrency).toBe('auto');
    expect(problemsOf(() => toConfig({ CONCURRENCY: '0' }))).toEqual([
      'CONCURRENCY must be "auto", or a whole number from 1 to 1000',
    ]);
  });

  test('prices of models have a number for input and for output', () => {
    expect(toConfig({}).limits.ai).toMatchObject({ maxCostUsd: 100, prices: [] });
    const { ai } = toConfig({ AI_MAX_COST_USD: '0.5', AI_MODEL_PRICES: 'openai/gpt-4o=2.5/10, claude-*=3/15' }).limits;
    expect(ai).toMatchObject({
      maxCostUsd: 0.5,
      prices: [
        { model: 'openai/gpt-4o', input: 2.5, output: 10 },
        { model: 'claude-*', input: 3, output: 15 },
      ],
    });
  });

  test.each(['gpt-4o', 'gpt-4o=1', 'gpt-4o=1/x', '=1/2', 'a*b=1/2'])('the price %s is refused', (price) => {
    expect(problemsOf(() => toConfig({ AI_MODEL_PRICES: price }))).toEqual([
      'AI_MODEL_PRICES must be a list such as gpt-4o-mini=0.15/0.6, with the USD for a million tokens',
    ]);
  });

  test('an invalid secret is named but not quoted', () => {
    const [problem] = problemsOf(() => toConfig({ BOOTSTRAP_API_KEY: 'too-short-secret' }));

    expect(problem).toMatch(/^BOOTSTRAP_API_KEY /);
    expect(problem).not.toContain('too-short-secret');
  });

  test('the configuration is frozen, including groups and lists', () => {
    const config = toConfig({ SSRF_ALLOW: '10.0.0.0/8' });

    expect([config, config.http, config.secrets, config.outgoing.ssrfAllow].every(Object.isFrozen)).toBe(true);
  });

  test.each<[RawEnv, string | null]>([
    [{}, 'http://127.0.0.1:5678'],
    [{ HOST: '0.0.0.0', PORT: '80' }, 'http://localhost:80'],
    [{ HOST: '::1' }, 'http://[::1]:5678'],
    [{ PORT: '0' }, null],
    [{ PORT: '0', PUBLIC_URL: 'https://sluice.example/base/' }, 'https://sluice.example/base'],
  ])('%j: browsers reach the API at %j', (env, publicUrl) => {
    expect(toConfig(env).http.publicUrl).toBe(publicUrl);
  });

  test('the names of settings that differ from their default are listed', () => {
    const env = { LOG_LEVEL: 'info', WORKERS: '3', ENCRYPTION_KEY: 'a-first-long-secret' };
    expect(toConfig(env).changedSettings).toEqual(['WORKERS', 'ENCRYPTION_KEY']);
  });

  test('files are in the home folder, in their own folder, or in a bucket', () => {
    expect(toConfig({ SLUICE_HOME: '/srv/sluice' }).binary.store).toEqual({ kind: 'disk', folder: '/srv/sluice/files' });
    expect(toConfig({ BINARY_DIR: '/srv/files' }).binary.store).toEqual({ kind: 'disk', folder: '/srv/files' });
    const { binary, secrets } = toConfig({ BINARY_STORE: 's3', BINARY_S3_BUCKET: 'sluice-files' });
    expect(binary.store).toEqual({ kind: 's3', bucket: 'sluice-files', region: 'us-east-1', endpoint: null });
    expect(secrets.s3).toBeNull();
  });

  test.each<[RawEnv]>([
    [{ PORT: '65536' }],
    [{ PORT: '-1' }],
    [{ PORT: '1e3' }],
    [{ PORT: '80.5' }],
    [{ WORKERS: '99999999999999999999' }],
    [{ API_KEY_HEADER: 'x key' }],
    [{ PUBLIC_URL: 'sluice.example' }],
    [{ PUBLIC_URL: 'https://sluice.example/?a=1' }],
    [{ PUBLIC_URL: 'https://user@sluice.example' }],
    [{ REDIS_URL: 'http://localhost' }],
    [{ DATABASE_URL: 'postgres://a,b/db?target_session_attrs=standby' }],
    [{ SSRF_ALLOW: '10.0.0.0/33' }],
    [{ SSRF_ALLOW: '10.0.0.1.2' }],
    [{ SSRF_ALLOW: 'a b' }],
    [{ SSRF_ALLOW: 'localhost:0' }],
    [{ SSRF_ALLOW: '10.0.0.5:70000' }],
    [{ SSRF_ALLOW: 'localhost:http' }],
    [{ SSRF_DENY: 'redis' }],
    [{ SSRF_DENY: '*.example:80' }],
    [{ QUEUE_PREFIX: 'a:b' }],
    [{ QUEUE_SHARDS: '3', CONCURRENCY: '2' }],
    [{ ENCRYPTION_KEY: 'a-first-long-secret,short' }],
    [{ ENCRYPTION_KEY: 'a-first-long-secret,' }],
    [{ BINARY_STORE: 's3' }],
    [{ BINARY_S3_ACCESS_KEY_ID: 'AKIDEXAMPLE' }],
    [{ BINARY_S3_ENDPOINT: 'minio:9000' }],
    [{ BINARY_S3_ENDPOINT: 'http://minio:99999' }],
    [{ TRACES_URL: 'http://[::1/v1/traces' }],
    [{ PUBLIC_URL: 'https://:443' }],
    [{ EXECUTION_RETENTION_DAYS: 'success=1000001' }],
  ])('%j is refused', (env) => {
    expect(problemsOf(() => toConfig(env))).toHaveLength(1);
  });

  test.each<[RawEnv]>([
    [{ REDIS_URL: 'unix:///tmp/redis.sock' }],
    [{ PUBLIC_URL: 'https://[::1]:8443/base' }],
    [{ EXECUTION_RETENTION_DAYS: 'success=1000000' }],
    [{ REDIS_URL: 'rediss://:secret@redis.example.com:6380/1' }],
    [{ REDIS_URL: 'redis+sentinel://:secret@a:26379,b:26379/master' }],
    [{ REDIS_URL: 'rediss+cluster://a,b' }],
    [{ DATABASE_URL: 'postgresql://sluice@/sluice?host=/tmp/run' }],
    [{ DATABASE_URL: 'postgres://u:p@a:5432,b:5432/db?target_session_attrs=read-write&sslmode=verify-full' }],
    [{ SSRF_ALLOW: '127.0.0.1, ::1,10.0.0.0/8, fd00::/8, *.internal.example, localhost' }],
    [{ SSRF_ALLOW: '127.0.0.1:80,[::1]:80,10.0.0.0/8:6379,[fd00::/8]:6379,*.internal.example:443,localhost:5678' }],
    [{ SSRF_DENY: 'api:5678,10.0.0.0/8:6379,fd00::/8,10.0.0.1,[fd00::5]:6379,' }],
  ])('%j is accepted', (env) => {
    expect(problemsOf(() => toConfig(env))).toEqual([]);
  });
});

test('folders for file nodes become absolute, and may be separated in any usual way', () => {
  expect(toConfig({}).filesFolders).toEqual([]);
  expect(toConfig({ FILES_DIR: ' /data/in , /data/out;/srv:/mnt, ' }).filesFolders).toEqual([
    '/data/in',
    '/data/out',
    '/srv',
    '/mnt',
  ]);
  expect(toConfig({ FILES_DIR: 'files' }).filesFolders).toEqual([`${process.cwd()}/files`]);
});

test('node packages: no packages without a folder, all packages in the folder without a list', () => {
  expect(toConfig({}).nodePackages).toEqual({ folder: null, allow: null, prefer: [] });
  expect(toConfig({ SLUICE_NODES_DIR: 'nodes' }).nodePackages).toEqual({
    folder: `${process.cwd()}/nodes`,
    allow: null,
    prefer: [],
  });
  expect(toConfig({ SLUICE_NODES_ALLOW: ' a, @b/c-d,@e/* ' }).nodePackages.allow).toEqual(['a', '@b/c-d', '@e/*']);
  expect(toConfig({ SLUICE_NODES_PREFER: 'a,@e/*' }).nodePackages.prefer).toEqual(['a', '@e/*']);
  for (const wrong of ['a b', '../a', '*', '@a', 'a/b']) {
    expect(() => toConfig({ SLUICE_NODES_ALLOW: wrong })).toThrow('SLUICE_NODES_ALLOW must list names of npm packages');
  }
});

test('requireServices names both services if both are missing', () => {
  const problems = problemsOf(() => requireServices(toConfig({})));

  expect(problems.map((problem) => problem.split(' ')[0])).toEqual(['DATABASE_URL', 'REDIS_URL']);
});

test('master keys keep their order, and a missing key is reported', () => {
  const config = toConfig({ ENCRYPTION_KEY: 'a-second-long-secret, a-first-long-secret' });
  expect(requireEncryptionKeys(config)).toEqual(['a-second-long-secret', 'a-first-long-secret']);
  expect(problemsOf(() => requireEncryptionKeys(toConfig({})))).toEqual([expect.stringMatching(/^ENCRYPTION_KEY /)]);
});

test('EXPRESSIONS_ENV_ALLOW is a list of names that excludes our settings', () => {
  expect(toConfig({}).expressions.envAllow).toEqual([]);
  expect(toConfig({ EXPRESSIONS_ENV_ALLOW: 'REGION, STAGE,' }).expressions.envAllow).toEqual(['REGION', 'STAGE']);
  for (const EXPRESSIONS_ENV_ALLOW of ['a b', '*', 'REGION,ENCRYPTION_KEY']) {
    expect(problemsOf(() => toConfig({ EXPRESSIONS_ENV_ALLOW }))).toEqual([
      expect.stringMatching(/^EXPRESSIONS_ENV_ALLOW must /),
    ]);
  }
});

test('finished executions are kept for 14 days, and 50,000 per project, by default', () => {
  const days = { success: 14, error: 14, canceled: 14, crashed: 14 };
  expect(toConfig({}).retention).toEqual({ days, maxPerProject: 50_000 });
  const { retention } = toConfig({ EXECUTION_RETENTION_DAYS: 'error=30,success=0', EXECUTION_RETENTION_MAX: '0' });
  expect(retention).toEqual({ days: { ...days, error: 30, success: 0 }, maxPerProject: 0 });
});

test('the configured ports and the object store are own endpoints', () => {
  const s3 = { BINARY_STORE: 's3', BINARY_S3_BUCKET: 'files' };
  const ports = { PORT: '5678', WORKER_PORT: '5679', METRICS_PORT: '0' };
  expect(toConfig({ ...ports, ...s3, BINARY_S3_ENDPOINT: 'https://[fd00::5]' }).outgoing.ownEndpoints).toEqual([
    { host: '127.0.0.1', port: 5678 },
    { host: '127.0.0.1', port: 5679 },
    { host: 'fd00::5', port: 443 },
  ]);
  expect(toConfig({ PORT: '0' }).outgoing).toMatchObject({ ownEndpoints: [], ownApiUrl: null });
  expect(toConfig({ PORT: '80' }).outgoing.ownApiUrl).toBe('http://127.0.0.1:80/api/v1');
  expect(toConfig({ PORT: '80', HOST: '0.0.0.0' }).outgoing.ownApiUrl).toBeNull();
  const behindProxy = toConfig({ PUBLIC_URL: 'https://a.example/base/' });
  expect(behindProxy.outgoing.ownApiUrl).toBe('https://a.example/base/api/v1');
});

test('in a cluster, the prefix of each shard is a hash tag', () => {
  const shards = { QUEUE_PREFIX: 'mine', QUEUE_SHARDS: '3' };
  expect(toConfig({ ...shards, REDIS_URL: 'rediss+cluster://a,b' }).redis).toMatchObject({
    queuePrefix: '{mine}',
    shards: ['{mine}', '{mine.1}', '{mine.2}'],
  });
  expect(toConfig({ ...shards, REDIS_URL: 'redis://a' }).redis).toMatchObject({
    queuePrefix: 'mine',
    shards: ['mine', 'mine.1', 'mine.2'],
  });
});
