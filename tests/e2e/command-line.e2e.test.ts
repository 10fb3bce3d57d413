import { execFile, spawn } from 'node:child_process';
import { chmodSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findFreePort } from '@sluice/embedded';
import { eventually } from '@sluice/test-support';
import { type RunningService, startService } from './harness.ts';
import { stopIn } from './support/cleanup.ts';
import { own } from './support/command-line.ts';

const stopAfterAll = stopIn(afterAll);
let service: RunningService;
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sluice-e2e-cli-'));
  service = stopAfterAll(await startService());
  const chain = (second: object) => ({
    nodes: [
      { id: '1', name: 'Start', type: 'base.manual-trigger', position: [0, 0], parameters: {} },
      { id: '2', name: 'Work', position: [200, 0], ...second },
    ],
    connections: { Start: { main: [[{ node: 'Work', type: 'main', index: 0 }]] } },
  });
  const workflows = {
    good: chain({ type: 'base.no-op', parameters: {} }),
    bad: chain({ type: 'base.stop-and-error', parameters: { errorMessage: 'not today' } }),
    slow: chain({
      type: 'base.wait',
      typeVersion: 1.1,
      parameters: { resume: 'timeInterval', amount: 60, unit: 'seconds' },
    }),
    hook: chain({ type: 'base.no-op', parameters: {} }),
  };
  (workflows.hook.nodes as object[])[0] = {
    id: '1',
    name: 'Start',
    type: 'base.webhook',
    typeVersion: 2,
    position: [0, 0],
    parameters: { path: 'cli' },
  };
  for (const [id, graph] of Object.entries(workflows))
    expect((await service.call('POST', '/workflows', { id, name: `The ${id} one`, ...graph })).status).toBe(201);
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** Runs `sluice` with the profiles in `home`, whose default is the service. */
function sluice(args: readonly string[], input = '', variables: Record<string, string> = {}) {
  return own(args, { input, variables: { XDG_CONFIG_HOME: home, HOME: home, ...variables } });
}

async function json(args: readonly string[], exitCode = 0) {
  const { code, stdout, stderr } = await sluice([...args, '--json']);
  expect([code, stderr]).toEqual([exitCode, exitCode === 0 ? '' : expect.any(String)]);
  return JSON.parse(stdout);
}

describe('profiles', () => {
  test('are added with the key from standard input, and stored in a file that only this user can read', async () => {
    const added = await sluice(['profiles', 'add', 'here', '--url', `${service.url}/`], `${service.apiKey}\n`);
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('(the default)') });
    const file = join(home, 'sluice', 'profiles.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      default: 'here',
      profiles: { here: { url: service.url, apiKey: service.apiKey } },
    });
    await sluice(['profiles', 'add', 'other', '--url', 'https://sluice.example.com'], 'another key');
    expect(await json(['profiles', 'list'])).toEqual([
      { name: 'here', url: service.url, default: true },
      { name: 'other', url: 'https://sluice.example.com', default: false },
    ]);
    expect((await sluice(['profiles', 'use', 'other'])).stdout).toBe('default  other\n');
    await sluice(['profiles', 'use', 'here']);
    await sluice(['profiles', 'remove', 'other']);
    expect(await json(['profiles', 'list'])).toHaveLength(1);
  });

  test('a file that others can read is rejected, and a missing profile is named', async () => {
    const file = join(home, 'sluice', 'profiles.json');
    chmodSync(file, 0o644);
    expect(await sluice(['executions', 'list'])).toMatchObject({ code: 1, stderr: expect.stringContaining('chmod 600') });
    chmodSync(file, 0o600);
    const missing = await sluice(['executions', 'list', '--profile', 'gone']);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no profile "gone"') });
    expect(await sluice(['executions', 'show', ''])).toMatchObject({ code: 2, stderr: 'sluice: an ID must not be empty\n' });
  });

  test('SLUICE_URL and SLUICE_API_KEY take precedence over the default profile', async () => {
    const SLUICE_URL = `http://127.0.0.1:${await findFreePort()}`;
    const away = await sluice(['executions', 'list'], '', { SLUICE_URL, SLUICE_API_KEY: 'a key' });
    expect(away).toMatchObject({ code: 3, stderr: `sluice: ${SLUICE_URL} cannot be reached: ECONNREFUSED\n` });
    const wrong = await sluice(['executions', 'list'], '', { SLUICE_URL: service.url, SLUICE_API_KEY: 'wrong' });
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/responded with 401 UNAUTHORIZED: .* \(request \S+\)/),
    });
    const keyless = await sluice(['executions', 'list'], '', { SLUICE_URL: service.url });
    expect(keyless).toMatchObject({ code: 2, stderr: expect.stringContaining('set SLUICE_API_KEY') });
  });
});

describe('workflows', () => {
  test('list filters by name and state', async () => {
    const listed = await sluice(['workflows', 'list', '--name', 'good']);
    expect(listed.stdout).toMatch(/^good {2}inactive {2}\S+Z {2}The good one\n$/);
    expect(await json(['workflows', 'list', '--limit', '2'])).toHaveLength(2);
    expect(await json(['workflows', 'list', '--active'])).toEqual([]);
  });

  test('run waits for the execution to end, and its exit code reflects the status', async () => {
    const good = await sluice(['workflows', 'run', 'good']);
    expect(good).toMatchObject({ code: 0, stdout: expect.stringMatching(/^execution +\d+\nstatus +success\n/) });
    const bad = await sluice(['workflows', 'run', 'bad']);
    expect(bad).toMatchObject({
      code: 4,
      stdout: expect.stringMatching(/status +error\n.*\nerror +not today \(node ".+"\)\n/),
    });
    expect(bad.stderr).toMatch(/execution \d+ ended with error/);
    expect(await json(['workflows', 'run', 'bad'], 4)).toMatchObject({ workflowId: 'bad', status: 'error' });
    expect(await json(['workflows', 'run', 'bad', '--until', 'Start'])).toMatchObject({ status: 'success' });
  });

  test('run reads the request body, and names the fields that the API rejects', async () => {
    const file = join(home, 'body.json');
    await writeFile(file, JSON.stringify({ destinationNode: 'Missing' }));
    const refused = await sluice(['workflows', 'run', 'good', '--body', file]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/400 VALIDATION_ERROR.*\n {2}\/destinationNode/) });
    const piped = await sluice(['workflows', 'run', 'bad', '--body', '-'], '{"destinationNode":"Start"}');
    expect(piped.code).toBe(0);
    for (const input of ['nothing', '[{}]', '{"runData": {"Start": [1e999]}}'])
      expect(await sluice(['workflows', 'run', 'good', '--body', '-'], input)).toMatchObject({ code: 2 });
    const missing = await sluice(['workflows', 'run', 'nowhere']);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('404 NOT_FOUND') });
  });

  test('activate; diff with the active version, another version, and a file; deactivate', async () => {
    const first = await json(['workflows', 'activate', 'hook']);
    expect(first).toMatchObject({ id: 'hook', active: true });
    expect(await sluice(['workflows', 'diff', 'hook'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('are the same'),
    });
    await service.call('PATCH', '/workflows/hook', { name: 'Renamed', settings: { timezone: 'Europe/Vienna' } });
    const changed = await sluice(['workflows', 'diff', 'hook']);
    expect(changed.code).toBe(1);
    expect(changed.stdout).toMatch(/^-\s+"name": "The hook one",$/m);
    expect(changed.stdout).toMatch(/^\+\s+"name": "Renamed",$/m);
    expect(changed.stdout).toMatch(/^\+\s+"timezone": "Europe\/Vienna"$/m);
    expect(changed.stdout).toMatch(/^--- hook \(version 1\)$/m);
    const numbered = await json(['workflows', 'diff', 'hook', '--from', '2', '--to', '1'], 1);
    expect(numbered).toMatchObject({ from: 'hook (version 2)', to: 'hook (version 1)' });
    expect((await sluice(['workflows', 'diff', 'hook', '--from', '3'])).stderr).toContain('has no version 3');
    expect(await json(['workflows', 'diff', 'hook'], 1)).toMatchObject({
      same: false,
      patch: expect.stringContaining('Renamed'),
    });

    const { body } = await service.call('GET', '/workflows/hook');
    const file = join(home, 'hook.json');
    await writeFile(file, JSON.stringify(body));
    expect((await sluice(['workflows', 'diff', 'hook', '--file', file])).code).toBe(0);
    await sluice(['workflows', 'activate', 'hook', '--version', '1']);
    expect((await service.call('GET', '/workflows/hook')).body.activeVersionId).toBe(first.activeVersionId);
    expect((await sluice(['workflows', 'diff', 'hook'])).code).toBe(1);
    expect(await json(['workflows', 'deactivate', 'hook'])).toMatchObject({ active: false });
  });
});

describe('executions', () => {
  test('list filters and pages; show prints the node runs', async () => {
    const failed = await json(['executions', 'list', '--status', 'error', '--workflow', 'bad', '--limit', '1']);
    expect(failed).toMatchObject([{ workflowId: 'bad', status: 'error' }]);
    const all = await json(['executions', 'list', '--limit', '300']);
    expect(all.length).toBeGreaterThan(4);
    const lines = (await sluice(['executions', 'list'])).stdout.trim().split('\n');
    expect(lines[0]).toMatch(/^\d+ +success +[\d.]+ s +manual +\S+Z +The \w+ one \(\w+\)/);
    const result = await sluice(['executions', 'show', failed[0].id]);
    expect(result.stdout).toMatch(/error +not today \(node "Work"\)\n/);
    expect(result.stdout).toMatch(/node +Start {2}success {2}\d+ ms\nnode +Work {2}error {2}\d+ ms\n/);
    expect(await json(['executions', 'show', failed[0].id])).not.toHaveProperty('data');
    expect(await json(['executions', 'show', failed[0].id, '--data'])).toHaveProperty('data.resultData.runData.Work');
    expect((await sluice(['executions', 'list', '--limit', 'many'])).code).toBe(2);
  });

  test('tail follows an execution until it ends, and stop cancels it', async () => {
    const { executionId } = await json(['workflows', 'run', 'slow', '--no-wait']);
    await eventually(async () => (await service.call('GET', `/executions/${executionId}`)).body.status === 'waiting');
    const tailed = sluice(['executions', 'tail', executionId]);
    const stopped = await sluice(['executions', 'stop', executionId, '999999999']);
    expect(stopped).toMatchObject({ code: 1, stdout: `${executionId}  canceled\n` });
    expect(stopped.stderr).toContain('999999999: the server responded with 404');
    expect(await tailed).toMatchObject({ code: 4, stdout: expect.stringMatching(/ {2}canceled\n$/) });
  });

  test('tail without an ID prints every new execution', async () => {
    const cli = own.command(['executions', 'tail'], { XDG_CONFIG_HOME: home, HOME: home });
    const child = spawn(cli.file, cli.args, { env: cli.env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
    });
    await eventually(async () => {
      await service.call('POST', '/workflows/good/run', {});
      return /success .*The good one \(good\)/.test(output);
    });
    child.kill('SIGINT');
    await new Promise((resolve) => child.once('exit', resolve));
  });

  test('retry runs the execution again, with the newest version for --latest', async () => {
    const { id } = await json(['workflows', 'run', 'bad'], 4);
    expect(await sluice(['executions', 'retry', id])).toMatchObject({ code: 4 });
    const fixed = [
      { id: '1', name: 'Start', type: 'base.manual-trigger', position: [0, 0], parameters: {} },
      { id: '2', name: 'Work', type: 'base.no-op', position: [200, 0], parameters: {} },
    ];
    await service.call('PATCH', '/workflows/bad', { nodes: fixed });
    expect(await json(['executions', 'retry', id, '--latest'])).toMatchObject({ status: 'success', retryOf: id });
  });
});

describe('doctor', () => {
  const good = () => ({ SLUICE_HOME: service.home, PORT: new URL(service.url).port, ENCRYPTION_KEY: own.masterKey });

  test('reports no problem with a running service', async () => {
    const { code, stdout } = await sluice(['doctor'], '', good());
    expect([code, stdout]).toEqual([0, expect.stringContaining('everything looks good')]);
    expect(stdout).toMatch(/^ok {2}Postgres$/m);
  });

  test.each<[string, Record<string, string>, string, RegExp]>([
    [
      'a wrong master key',
      { ENCRYPTION_KEY: 'another passphrase of many characters' },
      'wrong-master-key',
      /set ENCRYPTION_KEY/,
    ],
    ['an invalid setting', { CONCURRENCY: 'many' }, 'invalid-setting', /correct the setting/],
    ['a mistyped setting', { CONCURENCY: '5' }, 'unknown-setting', /CONCURRENCY/],
    ['a local public URL', { HOST: '0.0.0.0' }, 'public-url', /set PUBLIC_URL/],
    ['SSRF protection that is off', { SSRF_PROTECTION: 'off' }, 'ssrf-off', /SSRF_ALLOW/],
    ['a public URL without TLS', { HOST: '0.0.0.0', PUBLIC_URL: 'http://sluice.example.com' }, 'plain-http', /https/],
    ['unlimited retention', { EXECUTION_RETENTION_DAYS: 'success=0', EXECUTION_RETENTION_MAX: '0' }, 'retention', /RETENTION/],
    ['too many connections', { WORKERS: '20' }, 'max-connections', /DATABASE_POOL_SIZE/],
    [
      'an unreachable read replica',
      { DATABASE_READ_URL: 'postgres://127.0.0.1:1/x' },
      'database-unreachable',
      /DATABASE_READ_URL/,
    ],
    ['an unreachable Redis', { REDIS_URL: 'redis://127.0.0.1:1' }, 'redis-unreachable', /REDIS_URL/],
    ['a missing folder of node packages', { SLUICE_NODES_DIR: '/nonexistent' }, 'package-not-loaded', /sluice nodes check/],
  ])('reports %s, with a fix', async (_what, variables, check, fix) => {
    const { code, stdout } = await sluice(['doctor', '--json'], '', { ...good(), ...variables });
    const { ok, checks } = JSON.parse(stdout);
    const findings = checks.flatMap((group: { findings: { check: string; level: string; fix: string }[] }) => group.findings);
    const match = findings.find((finding: { check: string }) => finding.check === check);
    expect(match).toMatchObject({ check, fix: expect.stringMatching(fix) });
    expect(ok).toBe(match.level !== 'error');
    expect(code).toBe(match.level === 'error' ? 1 : 0);
  });
});

describe('completion', () => {
  const shells: [string, string[], string][] = [
    ['bash', ['-c'], 'COMP_WORDS=(sluice executions st); COMP_CWORD=2; _sluice; printf %s "$COMPREPLY"'],
  ];

  test.each(shells)('%s completes commands', async (shell, flags, probe) => {
    const { stdout: script } = await sluice(['completion', shell]);
    const bin = await own.bin(home);
    const text = `PATH=${bin}:$PATH\n${script}\n${probe}`;
    const completed = await new Promise<string>((resolve) => execFile(shell, [...flags, text], (_, stdout) => resolve(stdout)));
    expect(completed.trim()).toBe('stop');
  });

  test('bash, zsh, and fish have a script; any other shell is rejected with their names', async () => {
    for (const shell of ['bash', 'zsh', 'fish'])
      expect((await sluice(['completion', shell])).stdout).toContain('sluice complete --');
    expect(await sluice(['completion', 'csh'])).toMatchObject({ code: 2, stderr: expect.stringContaining('bash, zsh, fish') });
  });

  test.each([
    [['exec'], ['executions']],
    [
      ['executions', ''],
      ['list', 'show', 'tail', 'stop', 'retry', 'help', '--help'],
    ],
    [['executions', 'list', '--st'], ['--status']],
    [['executions', 'list', '--status', ''], []],
    [['executions', 'list', '--status', 'error', '--work'], ['--workflow']],
  ])('%j completes to %j', async (words, expected) => {
    const { stdout } = await sluice(['complete', '--', ...words]);
    expect(stdout.split('\n').filter((word) => word !== '')).toEqual(expected);
  });
});

test('a long task shows a progress bar only on a terminal', async () => {
  const file = join(home, 'one.json');
  await writeFile(file, JSON.stringify({ name: 'one', nodes: [], connections: {} }));
  const { file: node, args, env } = own.command(['workflows', 'check', file], { HOME: home });
  const quoted = [node, ...args].map((word) => `'${word}'`).join(' ');
  const output = await new Promise<string>((resolve) => {
    execFile('script', ['-qec', quoted, '/dev/null'], { env }, (_, stdout) => resolve(stdout));
  });
  expect(output).toContain('checking');
  expect((await sluice(['workflows', 'check', file])).stderr).toBe('');
});

test('the command of the npm package runs through a symlink, as npm and the image install it', async () => {
  const folder = fileURLToPath(new URL('../../apps/cli/', import.meta.url));
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const main = join(folder, manifest.bin.sluice);
  expect(await readFile(main, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  const link = join(home, 'linked.mjs');
  await symlink(main, link);
  const { PATH = '' } = process.env;
  const printed = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [link, '--version'], { env: { PATH } }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
  });
  expect(printed).toBe(`${manifest.version}\n`);
});
