import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { AppError, type BinaryReference, type JsonObject } from '@sluice/node-sdk';
import { startOpenSsh, startProFtpd, startVsftpd } from '@sluice/test-support/servers';
import { ftp as ftpCredential } from '../../src/credentials/ftp.ts';
import { ftp } from '../../src/nodes/ftp/ftp.ts';
import { realPorts } from '../../src/testing/credential-ports.ts';
import { type FakeRun, runForJson, runNode } from '../../src/testing/fake-context.ts';
import { memoryBinary } from '../../src/testing/memory-binary.ts';
import { describeWith } from './support/describe-with.ts';

const ports = realPorts();
const password = 'correct horse';
const servers = [
  { name: 'ProFTPD', protocol: 'ftp', username: 'ann', start: () => startProFtpd(password) },
  { name: 'vsftpd', protocol: 'ftp', username: 'anonymous', start: startVsftpd },
  { name: 'OpenSSH', protocol: 'sftp', username: 'ann', start: () => startOpenSsh({ password }) },
] as const;

afterAll(() => ports.close());

for (const { name, protocol, username, start } of servers) {
  await describeWith(`FTP node, ${protocol}, ${name}`, start, ({ host, port, home }) => {
    const login = { host, port, username, password };
    const at = (path: string) => join(home, path);
    const withServer = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
      connect: ports.connect,
      credentials: { [protocol]: login },
      parameters: { protocol, ...parameters },
      ...more,
    });
    const run = (parameters: JsonObject, more?: FakeRun) => runForJson(ftp, withServer(parameters, more));
    const list = async (path: string, recursive: boolean) =>
      (await run({ operation: 'list', path: at(path), recursive })).map(
        ({ type, path: filePath, size }) => `${type} ${filePath} ${type === '-' ? size : ''}`,
      );
    const lines = (...entries: [type: string, path: string, size?: number][]) =>
      entries.map(([type, path, size = '']) => `${type} ${at(path)} ${size}`);

    test('lists a directory, and its subdirectories with the option', async () => {
      mkdirSync(at('list/sub dir'), { recursive: true });
      writeFileSync(at('list/ü.txt'), 'text');
      writeFileSync(at('list/sub dir/b.txt'), 'more');
      const flat = lines(['-', 'list/ü.txt', 4], ['d', 'list/sub dir']);
      expect((await list('list', false)).sort()).toEqual(flat);
      expect((await list('list', true)).sort()).toEqual([...lines(['-', 'list/sub dir/b.txt', 4]), ...flat]);
    });

    test('uploads a file of the item, or text, and creates the directories', async () => {
      const binary = memoryBinary();
      const data = await binary.store(Buffer.from('x'.repeat(1_000_000)), { fileName: 'b.bin' });
      const inputs = [[{ json: { n: 1 }, binary: { data } }]];
      expect(await run({ operation: 'upload', path: at('new/deep/b.bin') }, { binary, inputs })).toEqual([{ n: 1 }]);
      await run({ operation: 'upload', path: at('c.txt'), binaryData: false, fileContent: 'text' });
      expect(readFileSync(at('new/deep/b.bin'), 'utf8')).toHaveLength(1_000_000);
      expect(readFileSync(at('c.txt'), 'utf8')).toBe('text');
    });

    test('downloads a file and keeps the item’s fields', async () => {
      const content = 'x'.repeat(1_000_000);
      writeFileSync(at('a.txt'), content);
      const binary = memoryBinary();
      const [items] = await runNode(
        ftp,
        withServer({ operation: 'download', path: at('a.txt') }, { binary, json: [{ n: 1 }] }),
      );
      expect(items).toMatchObject([{ json: { n: 1 }, binary: { data: { fileName: 'a.txt' } }, pairedItem: { item: 0 } }]);
      const bytes = await binary.read(items?.[0]?.binary?.['data'] as BinaryReference);
      expect(Buffer.from(bytes).toString()).toBe(content);
    });

    test('renames and deletes', async () => {
      mkdirSync(at('old/in'), { recursive: true });
      writeFileSync(at('old/in/b.txt'), 'b');
      writeFileSync(at('r.txt'), 'r');
      const done = [{ success: true }];
      const options = { createDirectories: true };
      expect(await run({ operation: 'rename', oldPath: at('r.txt'), newPath: at('to/c.txt'), options })).toEqual(done);
      expect(readFileSync(at('to/c.txt'), 'utf8')).toBe('r');
      const folder = { operation: 'delete', path: at('old') };
      await expect(run({ ...folder, options: { folder: true } })).rejects.toMatchObject({ itemIndex: 0 });
      expect(await run({ ...folder, options: { folder: true, recursive: true } })).toEqual(done);
      expect(await run({ operation: 'delete', path: at('to/c.txt') })).toEqual(done);
      expect(readdirSync(at('to'))).toEqual([]);
      expect(readdirSync(home)).not.toContain('old');
    });

    test('a missing file fails only its item if the node continues', async () => {
      writeFileSync(at('present.txt'), 'a');
      const parameters = (index: number) => ({
        protocol,
        operation: 'download',
        path: at(index === 0 ? 'none' : 'present.txt'),
      });
      expect(await run({}, { parameters, json: [{}, { n: 1 }], continueOnFail: true })).toEqual([
        { error: expect.stringMatching(/no such file|failed to open file/i) },
        { n: 1 },
      ]);
    });

    test('reports wrong credentials without the password', async () => {
      // Anonymous users have no password.
      const wrong = { ...login, username: 'ann', password: 'wrong one' };
      await expect(run({ operation: 'list' }, { credentials: { [protocol]: wrong } })).rejects.toMatchObject({
        message: expect.not.stringContaining('wrong one'),
        description: expect.stringContaining('Check host'),
      });
      if (protocol === 'sftp') return;
      const { signal } = new AbortController();
      expect(await ftpCredential.test?.(login, ports, signal)).toEqual({ status: 'OK', message: 'the connection works' });
      expect(await ftpCredential.test?.(wrong, ports, signal)).toEqual({
        status: 'Error',
        message: expect.stringMatching(/^530 /),
      });
    });

    test('data connections are guarded too', async () => {
      let count = 0;
      const connect: FakeRun['connect'] = (...args) => {
        count += 1;
        const blocked = new AppError({ code: 'CONNECTION_BLOCKED', message: 'this address is not allowed' });
        return count > 1 || protocol === 'sftp' ? Promise.reject(blocked) : ports.connect(...args);
      };
      await expect(run({ operation: 'list' }, { connect })).rejects.toMatchObject({ code: 'CONNECTION_BLOCKED' });
    });

    test('a canceled run ends with its reason', async () => {
      writeFileSync(at('a.txt'), 'x'.repeat(1_000_000));
      const controller = new AbortController();
      const reason = new Error('canceled');
      const binary = { ...memoryBinary(), store: () => new Promise<never>(() => controller.abort(reason)) };
      const parameters = { operation: 'download', path: at('a.txt') };
      await expect(run(parameters, { binary, signal: controller.signal, continueOnFail: true })).rejects.toBe(reason);
    });

    test('a server that disconnects during a download fails the item', async () => {
      const own = await start();
      writeFileSync(join(own.home, 'a.txt'), 'x'.repeat(50_000_000));
      const connected = new Set<{ destroy(): void }>();
      const connect: FakeRun['connect'] = async (...args) => {
        const socket = await ports.connect(...args);
        connected.add(socket);
        return socket;
      };
      const store = async (content: AsyncIterable<Uint8Array>) => {
        for await (const _ of content) for (const socket of connected) socket.destroy();
        throw new Error('the download went on');
      };
      const parameters = { operation: 'download', path: join(own.home, 'a.txt') };
      const credentials = { [protocol]: { ...login, port: own.port } };
      const binary = { ...memoryBinary(), store: store as never };
      await expect(run(parameters, { connect, credentials, binary })).rejects.toMatchObject({
        message: expect.not.stringContaining('went on'),
      });
      await own.close();
    });
  });
}
