import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { BinaryReference, JsonObject } from '@sluice/node-sdk';
import { eventually } from '@sluice/test-support';
import { startOpenSsh } from '@sluice/test-support/servers';
import ssh2 from 'ssh2';
import { sftp } from '../../src/credentials/sftp.ts';
import { sshPassword, sshPrivateKey } from '../../src/credentials/ssh.ts';
import { ftp } from '../../src/nodes/ftp/ftp.ts';
import { ssh } from '../../src/nodes/ssh/ssh.ts';
import { realPorts } from '../../src/testing/credential-ports.ts';
import { type FakeRun, runForJson, runNode } from '../../src/testing/fake-context.ts';
import { memoryBinary } from '../../src/testing/memory-binary.ts';
import { describeWith } from './support/describe-with.ts';

const ports = realPorts();
const { signal } = new AbortController();
const password = 'correct horse';
const userKey = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
});

afterAll(() => ports.close());

function authorizedKey(privateKey: string): string {
  const parsed = ssh2.utils.parseKey(privateKey);
  if (parsed instanceof Error) throw parsed;
  return `ssh-rsa ${parsed.getPublicSSH().toString('base64')}\n`;
}

const start = () => startOpenSsh({ password, publicKey: authorizedKey(userKey.privateKey) });

await describeWith('OpenSSH', start, ({ host, port, fingerprint, home }) => {
  const at = (path: string) => join(home, path);
  const login = { host, port, username: 'ann', password, hostKeyFingerprints: fingerprint };
  const withServer = (parameters: JsonObject, { credential = login, ...more }: FakeRun & { credential?: JsonObject } = {}) => ({
    connect: ports.connect,
    credentials: { sshPassword: credential, sftp: credential },
    parameters,
    ...more,
  });
  const run = (parameters: JsonObject, more: FakeRun & { credential?: JsonObject } = {}) =>
    runForJson(ssh, withServer(parameters, more));
  const files = (parameters: JsonObject, more: FakeRun & { credential?: JsonObject } = {}) =>
    runForJson(ftp, withServer({ protocol: 'sftp', ...parameters }, more));

  describe('commands', () => {
    test('run in a directory whose name needs quotes, and return output and exit code', async () => {
      mkdirSync(at("it's; here"));
      const parameters = { command: 'basename "$PWD"; echo oops >&2; exit 3', cwd: at("it's; here") };
      expect(await run(parameters)).toEqual([{ code: 3, signal: null, stdout: "it's; here", stderr: 'oops' }]);
      expect(await run({ command: 'pwd', cwd: '~' })).toMatchObject([{ code: 0, stdout: home }]);
    });

    test('do not run if the directory does not exist', async () => {
      const [result] = await run({ command: 'echo ran', cwd: '/no/such/directory' });
      expect(result).toMatchObject({ stdout: '', stderr: expect.stringContaining('/no/such/directory') });
      expect(result?.['code']).not.toBe(0);
    });

    test('with too much output are an error', async () => {
      const endless = run({ command: 'cat /dev/zero', cwd: '' });
      await expect(endless).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE', itemIndex: 0 });
    });

    test('fail if the server disconnects', async () => {
      await expect(run({ command: 'kill -9 $PPID; sleep 60', cwd: '' })).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    });

    test('end with the reason of a canceled run', async () => {
      const controller = new AbortController();
      const reason = new Error('canceled');
      const command = `touch ${at('started')}; sleep 60`;
      const running = run({ command, cwd: '' }, { signal: controller.signal, continueOnFail: true });
      const failed = expect(running).rejects.toBe(reason);
      await eventually(() => expect(readdirSync(home)).toContain('started'));
      controller.abort(reason);
      await failed;
    });
  });

  describe('files', () => {
    const file = { resource: 'file' };

    test('are uploaded and downloaded', async () => {
      const binary = memoryBinary();
      const data = await binary.store(Buffer.from('bytes'), { fileName: '../b.bin' });
      mkdirSync(at('in'));
      const upload = { ...file, operation: 'upload', path: at('in') };
      expect(await run(upload, { binary, inputs: [[{ json: {}, binary: { data } }]] })).toEqual([{ success: true }]);
      expect(readFileSync(at('in/b.bin'), 'utf8')).toBe('bytes');
      const download = withServer({ ...file, operation: 'download', path: at('in/b.bin') }, { binary });
      const [items] = await runNode(ssh, download);
      expect(await textOf(binary, items?.[0]?.binary?.['data'])).toBe('bytes');
    });
  });

  describe('credentials', () => {
    const works = { status: 'OK', message: 'the connection works' };

    test('log in with a password or a private key', async () => {
      for (const type of [sshPassword, sftp]) {
        expect(await type.test?.(login, ports, signal)).toEqual(works);
        const refused = await type.test?.({ ...login, password: 'wrong one' }, ports, signal);
        expect(refused).toMatchObject({ status: 'Error', message: expect.stringMatching(/authentication/i) });
        expect(refused?.message).not.toContain('wrong one');
      }
      const { password: _, ...withKey } = { ...login, privateKey: userKey.privateKey };
      expect(await sshPrivateKey.test?.(withKey, ports, signal)).toEqual(works);
      const broken = await sshPrivateKey.test?.({ ...withKey, privateKey: 'no key at all' }, ports, signal);
      expect(broken).toMatchObject({ status: 'Error', message: expect.not.stringContaining('no key at all') });
      const { privateKey } = generateKeyPairSync('rsa', {
        modulusLength: 2048,
        publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
      });
      expect(await sshPrivateKey.test?.({ ...withKey, privateKey }, ports, signal)).toMatchObject({ status: 'Error' });
    });

    test('a wrong password fails the node with a hint', async () => {
      await expect(
        run({ command: 'true', cwd: '' }, { credential: { ...login, password: 'wrong one' } }),
      ).rejects.toMatchObject({
        message: expect.stringMatching(/^SSH: (?!.*wrong one).*authentication/i),
        description: expect.stringContaining('Check host'),
      });
    });

    test('with another host key’s fingerprint refuse the server', async () => {
      const credential = { ...login, hostKeyFingerprints: `SHA256:${'A'.repeat(43)}` };
      const untrusted = { code: 'HOST_KEY_NOT_TRUSTED', message: expect.stringContaining(fingerprint) };
      await expect(run({ command: 'true', cwd: '' }, { credential })).rejects.toMatchObject(untrusted);
      await expect(files({ operation: 'list', path: home }, { credential })).rejects.toMatchObject(untrusted);
    });

    test.each([sshPassword, sftp])('of type $name trust the first host key', async ({ renewal }) => {
      const { hostKeyFingerprints: _, ...data } = { ...login, trustFirstHostKey: true };
      expect((await renewal?.renew(data, ports, signal))?.['trustedHostKey']).toEqual({ host, port, fingerprint });
    });
  });
});

async function textOf(binary: ReturnType<typeof memoryBinary>, reference: BinaryReference | undefined): Promise<string> {
  return Buffer.from(await binary.read(reference as BinaryReference)).toString();
}
