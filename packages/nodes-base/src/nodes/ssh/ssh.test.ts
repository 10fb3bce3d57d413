import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { BinaryReference, JsonObject } from '@sluice/node-sdk';
import ssh2, { type Connection, type ServerChannel } from 'ssh2';
import { realPorts } from '../../testing/credential-ports.ts';
import { type FakeRun, runForJson, runNode } from '../../testing/fake-context.ts';
import { memoryBinary } from '../../testing/memory-binary.ts';
import { newHostKey, type SshServer, sshServer } from '../../testing/ssh-server.ts';
import { example } from './example.ts';
import { ssh } from './ssh.ts';

const ports = realPorts();
const password = 'correct horse';
let server: SshServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});
afterAll(() => ports.close());

const ends =
  (code: number, stdout: string, stderr = '') =>
  (channel: ServerChannel) => {
    channel.write(stdout);
    channel.stderr.write(stderr);
    channel.exit(code);
    channel.end();
  };

/**
 * Resolves after another key exchange on the channel's connection, with another host key if given.
 */
async function rekeyed(channel: ServerChannel, hostKey?: string): Promise<void> {
  type Internals = Connection & { rekey(done: () => void): void; _protocol: { _hostKeys: Record<string, unknown> } };
  const { _client: client } = channel as unknown as { _client: Internals };
  const keys = client._protocol._hostKeys;
  if (hostKey !== undefined) for (const kind of Object.keys(keys)) keys[kind] = ssh2.utils.parseKey(hostKey);
  await new Promise<void>((resolve) => client.rekey(resolve));
}

function withServer(parameters: JsonObject, more: FakeRun = {}): FakeRun {
  const credentials = { sshPassword: { host: '127.0.0.1', port: server?.port ?? 0, username: 'ann', password } };
  return { connect: ports.connect, credentials, parameters, ...more };
}
const run = (parameters: JsonObject, more?: FakeRun) => runForJson(ssh, withServer(parameters, more));

test('the example works', async () => {
  server = await sshServer(password, { run: ends(0, 'Already up to date.\n') });
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(server.commands).toEqual(["cd '/srv/app' || exit\ngit pull"]);
});

describe('commands', () => {
  test('a failed command is a result, not an error', async () => {
    server = await sshServer(password, { run: ends(2, 'out\n', 'err\n') });
    expect(await run({ command: 'false' })).toEqual([{ code: 2, signal: null, stdout: 'out', stderr: 'err' }]);
  });

  test('the folder name is a single shell word, except for a leading ~', async () => {
    server = await sshServer(password, { run: ends(0, '') });
    for (const cwd of ["/it's; rm -rf x", '~', '~/a b', '']) await run({ command: 'ls', cwd });
    expect(server.commands.map((command) => command.replace(/ \|\| exit\nls$/, ''))).toEqual([
      `cd '/it'\\''s; rm -rf x'`,
      'cd ~',
      "cd ~'/a b'",
      'ls',
    ]);
  });

  test('commands for many items leave no listeners on their connection', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning);
    process.on('warning', onWarning);
    server = await sshServer(password, { run: ends(0, 'x') });
    expect(await run({ command: 'ls' }, { json: Array.from({ length: 20 }, () => ({})) })).toHaveLength(20);
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  test('output that is too large is an error', async () => {
    server = await sshServer(password, { run: ends(0, 'x'.repeat(70 * 1024 * 1024)) });
    await expect(run({ command: 'cat' })).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE', itemIndex: 0 });
  });

  test('a broken connection is an error, and a canceled run ends with its reason', async () => {
    server = await sshServer(password, { run: () => void server?.close() });
    await expect(run({ command: 'sleep' })).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
      message: 'the server closed the connection',
    });
    const controller = new AbortController();
    const reason = new Error('canceled');
    server = await sshServer(password, { run: () => controller.abort(reason) });
    await expect(run({ command: 'sleep' }, { signal: controller.signal, continueOnFail: true })).rejects.toBe(reason);
  });

  test('a later key exchange with the same host key continues the command', async () => {
    server = await sshServer(password, { run: (channel) => void rekeyed(channel).then(() => ends(0, 'done')(channel)) });
    expect(await run({ command: 'sleep' })).toMatchObject([{ code: 0, stdout: 'done' }]);
  });

  test.each<[string, (fingerprint: string) => JsonObject]>([
    ['that the credential does not trust', (hostKeyFingerprints) => ({ hostKeyFingerprints })],
    ['other than the first', () => ({})],
  ])('a later key exchange with a host key %s ends the run', async (_, trust) => {
    const otherKey = newHostKey();
    server = await sshServer(password, {
      run: (channel) => void rekeyed(channel, otherKey).then(() => ends(0, 'done')(channel)),
    });
    const login = { host: '127.0.0.1', port: server.port, username: 'ann', password, ...trust(server.fingerprint) };
    await expect(run({ command: 'sleep' }, { credentials: { sshPassword: login } })).rejects.toMatchObject({
      code: 'HOST_KEY_NOT_TRUSTED',
      message: expect.stringContaining(`changed its host key within the connection, from ${server.fingerprint} to SHA256:`),
    });
  });

  test('reports wrong credentials', async () => {
    server = await sshServer(password);
    const credentials = { sshPassword: { host: '127.0.0.1', port: server.port, username: 'ann', password: 'wrong one' } };
    await expect(run({ command: 'ls' }, { credentials })).rejects.toMatchObject({
      message: expect.stringMatching(/^SSH: .*authentication/i),
      description: expect.stringContaining('Check host'),
    });
  });
});

describe('files', () => {
  const file = { resource: 'file' };

  test('upload stores a file in a folder, under its name or another', async () => {
    server = await sshServer(password);
    const binary = memoryBinary();
    const data = await binary.store(Buffer.from('bytes'), { fileName: '../b.bin' });
    const inputs = [[{ json: {}, binary: { data } }]];
    expect(await run({ ...file, operation: 'upload', path: '/in' }, { binary, inputs })).toEqual([{ success: true }]);
    await run({ ...file, operation: 'upload', path: '/in/', options: { fileName: 'c.bin' } }, { binary, inputs });
    expect([...server.files].map(([path, content]) => [path, String(content)])).toEqual([
      ['/in/b.bin', 'bytes'],
      ['/in/c.bin', 'bytes'],
    ]);
  });

  test('download keeps the item’s fields', async () => {
    server = await sshServer(password, { files: new Map([['/a.txt', Buffer.from('text')]]) });
    const binary = memoryBinary();
    const [downloaded] = await runNode(
      ssh,
      withServer({ ...file, operation: 'download', path: '/a.txt' }, { binary, json: [{ n: 1 }] }),
    );
    const items = downloaded ?? [];
    expect(items).toMatchObject([{ json: { n: 1 }, binary: { data: { fileName: 'a.txt', directory: '/' } } }]);
    expect(Buffer.from(await binary.read(items[0]?.binary?.['data'] as BinaryReference)).toString()).toBe('text');
  });
});
