import { afterAll, afterEach, expect, test } from '@jest/globals';
import { AppError, type BinaryReference, type Item, type JsonObject } from '@sluice/node-sdk';
import { realPorts } from '../../testing/credential-ports.ts';
import { type FakeRun, runForJson, runNode } from '../../testing/fake-context.ts';
import { memoryBinary } from '../../testing/memory-binary.ts';
import { type SshServer, sshServer } from '../../testing/ssh-server.ts';
import { example } from './example.ts';
import { ftp } from './ftp.ts';

const ports = realPorts();
const password = 'correct horse';
let server: SshServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});
afterAll(() => ports.close());

async function start(tree: Record<string, string | null>): Promise<SshServer> {
  const files = Object.entries(tree).map(([path, text]) => [path, text === null ? null : Buffer.from(text)] as const);
  server = await sshServer(password, { files: new Map(files) });
  return server;
}

const filesNow = () =>
  Object.fromEntries([...(server?.files ?? [])].map(([path, content]) => [path, content === null ? null : String(content)]));

function withServer(parameters: JsonObject, more: FakeRun = {}): FakeRun {
  const credentials = { sftp: { host: '127.0.0.1', port: server?.port ?? 0, username: 'ann', password } };
  return { connect: ports.connect, credentials, parameters: { protocol: 'sftp', ...parameters }, ...more };
}
const run = (parameters: JsonObject, more?: FakeRun) => runForJson(ftp, withServer(parameters, more));

test('the example works', async () => {
  await start({ '/reports': null, '/reports/day.csv': 'a,b\n' });
  expect(await runForJson(ftp, withServer(example.parameters))).toEqual(example.outputs?.[0]);
});

// FTP itself is only tested with a real server (tests/services/ftp.services.test.ts).
test('lists a folder, and with the option its subfolders', async () => {
  await start({ '/': null, '/a.txt': 'text', '/sub': null, '/sub/b.txt': 'more' });
  const flat = await run({ operation: 'list', path: '/' });
  expect(flat).toMatchObject(
    [
      { type: '-', name: 'a.txt', size: 4, path: '/a.txt', modifyTime: expect.stringMatching(/^2026-01-02T/) },
      { type: 'd', name: 'sub', path: '/sub' },
    ].slice(0, flat.length),
  );
  const deep = await run({ operation: 'list', path: '/', recursive: true });
  expect(deep.map(({ path }) => path)).toEqual(['/a.txt', '/sub', '/sub/b.txt']);
});

test('lists entries whose attributes the server omits', async () => {
  server = await sshServer(password, { folders: (_, readCount) => (readCount === 0 ? ['a'] : []), attributes: {} });
  expect(await run({ operation: 'list', path: '/' })).toEqual([{ type: '-', name: 'a', path: '/a' }]);
});

test('an endless listing is an error, and so are too many entries for all items together', async () => {
  const names = Array.from({ length: 2_000 }, (_, index) => `d${index}`);
  server = await sshServer(password, { folders: () => names });
  const endless = run({ operation: 'list', path: '/' });
  await expect(endless).rejects.toMatchObject({ message: expect.stringContaining('more than 100000 entries') });
  await server.close();
  server = await sshServer(password, { folders: (_, readCount) => (readCount < 20 ? names : []) });
  const many = run({ operation: 'list', path: '/' }, { json: [{}, {}, {}] });
  await expect(many).rejects.toMatchObject({ message: expect.stringContaining('more than 100000 entries') });
});

test('endlessly nested folders are an error', async () => {
  server = await sshServer(password, { folders: (_, readCount) => (readCount === 0 ? ['x'.repeat(250)] : []) });
  const nested = run({ operation: 'list', path: '/', recursive: true });
  await expect(nested).rejects.toMatchObject({ message: expect.stringContaining('more than 4096 characters') });
});

test('downloads a file and keeps the item’s fields', async () => {
  const content = 'x'.repeat(200_000);
  await start({ '/': null, '/a.txt': content });
  const binary = memoryBinary();
  const [downloaded] = await runNode(ftp, withServer({ operation: 'download', path: '/a.txt' }, { binary, json: [{ n: 1 }] }));
  const items = downloaded ?? [];
  expect(items).toMatchObject([
    { json: { n: 1 }, binary: { data: { fileName: 'a.txt', directory: '/' } }, pairedItem: { item: 0 } },
  ]);
  expect(Buffer.from(await binary.read(items[0]?.binary?.['data'] as BinaryReference)).toString()).toBe(content);
});

test('uploads a file of the item, or text, and creates the folders', async () => {
  await start({ '/': null });
  const binary = memoryBinary();
  const reference = await binary.store(Buffer.from('bytes'), { fileName: 'b.bin' });
  const item: Item = { json: { n: 1 }, binary: { data: reference } };
  const upload = { operation: 'upload', path: '/new/deep/b.bin' };
  expect(await run(upload, { binary, inputs: [[item]] })).toEqual([{ n: 1 }]);
  await run({ operation: 'upload', path: '/c.txt', binaryData: false, fileContent: 'text' });
  expect(filesNow()).toMatchObject({ '/new': null, '/new/deep': null, '/new/deep/b.bin': 'bytes', '/c.txt': 'text' });
});

test('renames and removes', async () => {
  await start({ '/': null, '/a.txt': 'a', '/old': null, '/old/in': null, '/old/in/b.txt': 'b' });
  const done = [{ success: true }];
  const options = { createDirectories: true };
  expect(await run({ operation: 'rename', oldPath: '/a.txt', newPath: '/to/c.txt', options })).toEqual(done);
  await expect(run({ operation: 'delete', path: '/old', options: { folder: true } })).rejects.toMatchObject({ itemIndex: 0 });
  expect(await run({ operation: 'delete', path: '/old', options: { folder: true, recursive: true } })).toEqual(done);
  expect(filesNow()).toMatchObject({ '/to/c.txt': 'a' });
  expect(Object.keys(filesNow()).filter((path) => path.startsWith('/old'))).toEqual([]);
  expect(await run({ operation: 'delete', path: '/to/c.txt' })).toEqual(done);
  expect(filesNow()).not.toHaveProperty(['/to/c.txt']);
});

test('a missing file does not affect the other files if the node continues', async () => {
  await start({ '/': null, '/a.txt': 'a' });
  const parameters = (index: number) => ({ protocol: 'sftp', operation: 'download', path: index === 0 ? '/none' : '/a.txt' });
  const json: JsonObject[] = [{}, { n: 1 }];
  expect(await run({}, { parameters, json, continueOnFail: true })).toEqual([
    { error: expect.stringMatching(/no such file/i) },
    { n: 1 },
  ]);
});

test('reports wrong credentials without the password', async () => {
  await start({ '/': null });
  const credentials = { sftp: { host: '127.0.0.1', port: server?.port ?? 0, username: 'ann', password: 'wrong one' } };
  const refused = run({ operation: 'list' }, { credentials });
  await expect(refused).rejects.toMatchObject({
    message: expect.not.stringContaining('wrong one'),
    description: expect.stringContaining('Check host'),
  });
});

test('the connection is guarded', async () => {
  await start({ '/': null, '/a.txt': 'a' });
  const blocked = new AppError({ code: 'CONNECTION_BLOCKED', message: 'this address is not allowed' });
  const connect = () => Promise.reject(blocked);
  await expect(run({ operation: 'list' }, { connect })).rejects.toMatchObject({ code: 'CONNECTION_BLOCKED' });
});

test('a canceled run ends with its reason', async () => {
  await start({ '/': null, '/a.txt': 'a' });
  const controller = new AbortController();
  const reason = new Error('canceled');
  const binary = { ...memoryBinary(), store: () => new Promise<never>(() => controller.abort(reason)) };
  const running = run({ operation: 'download', path: '/a.txt' }, { binary, signal: controller.signal, continueOnFail: true });
  await expect(running).rejects.toBe(reason);
});
