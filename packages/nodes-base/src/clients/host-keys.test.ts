import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, NodeHint } from '@sluice/node-sdk';
import type { ServerChannel } from 'ssh2';
import { sftp } from '../credentials/sftp.ts';
import { sshPassword } from '../credentials/ssh.ts';
import { ftp } from '../nodes/ftp/ftp.ts';
import { ssh } from '../nodes/ssh/ssh.ts';
import { realPorts } from '../testing/credential-ports.ts';
import { runForJson } from '../testing/fake-context.ts';
import { newHostKey, type SshServer, sshServer } from '../testing/ssh-server.ts';

const ports = realPorts();
const { signal } = new AbortController();
const password = 'correct horse';
const ends = (channel: ServerChannel) => {
  channel.exit(0);
  channel.end();
};
const files = () => new Map<string, Buffer | null>([['/a.txt', Buffer.from('text')]]);
let otherKey: string;
let server: SshServer;

beforeAll(() => {
  otherKey = newHostKey();
});
afterEach(() => server.close());
afterAll(() => ports.close());

const login = (): JsonObject => ({ host: '127.0.0.1', port: server.port, username: 'ann', password });

/** Runs the SSH or FTP node against the server; resolves to the run's hints. */
async function run(name: 'ssh' | 'sftp', data: JsonObject): Promise<readonly NodeHint[]> {
  const hints: NodeHint[] = [];
  const credentials = { sshPassword: data, sftp: data };
  const more = { connect: ports.connect, credentials, addHints: (...added: readonly NodeHint[]) => void hints.push(...added) };
  if (name === 'ssh') await runForJson(ssh, { ...more, parameters: { command: 'true', cwd: '' } });
  else await runForJson(ftp, { ...more, parameters: { protocol: 'sftp', operation: 'list', path: '/' } });
  return hints;
}

describe.each(['ssh', 'sftp'] as const)('an %s connection', (name) => {
  test('logs in to a server with a pinned host key', async () => {
    server = await sshServer(password, { files: files(), run: ends });
    const unpadded = server.fingerprint;
    for (const hostKeyFingerprints of [unpadded, `${unpadded}=`, `SHA256:${'A'.repeat(43)}, ${unpadded}`])
      expect(await run(name, { ...login(), hostKeyFingerprints })).toEqual([]);
  });

  test('refuses any other host key before it sends the login', async () => {
    server = await sshServer(password, { hostKey: otherKey });
    for (const hostKeyFingerprints of [`SHA256:${'A'.repeat(43)}`, 'not a fingerprint', server.fingerprint.toLowerCase()])
      await expect(run(name, { ...login(), hostKeyFingerprints })).rejects.toMatchObject({
        code: 'HOST_KEY_NOT_TRUSTED',
        message: expect.stringContaining(server.fingerprint),
      });
    expect(server.logins).toEqual([]);
  });

  test('warns in a hint on the run if no host key is set', async () => {
    server = await sshServer(password, { files: files(), run: ends });
    expect(await run(name, login())).toEqual([
      { type: 'warning', message: expect.stringContaining('host key was not verified') },
    ]);
  });
});

describe.each([sshPassword, sftp])('credential type $name, with trust in the first host key', (type) => {
  const name = type === sftp ? 'sftp' : 'ssh';
  const first = async () => {
    const data = { ...login(), trustFirstHostKey: true };
    expect(type.renewal?.isDue(data, 0)).toBe(true);
    return (await type.renewal?.renew(data, ports, signal)) ?? {};
  };

  test('stores the key without a login, and refuses a changed key', async () => {
    server = await sshServer(password, { files: files(), run: ends });
    const data = await first();
    expect(server.logins).toEqual([]);
    expect(data['trustedHostKey']).toEqual({ host: '127.0.0.1', port: server.port, fingerprint: server.fingerprint });
    expect(type.renewal?.isDue(data, 0)).toBe(false);
    expect(await run(name, data)).toEqual([]);
    await server.close();
    server = await sshServer(password, { hostKey: otherKey });
    const trusted = { ...(data['trustedHostKey'] as JsonObject), port: server.port };
    await expect(run(name, { ...data, port: server.port, trustedHostKey: trusted })).rejects.toMatchObject({
      code: 'HOST_KEY_NOT_TRUSTED',
    });
    expect(server.logins).toEqual([]);
  });

  test('fetches the key again for another server, and prefers a pinned key', async () => {
    server = await sshServer(password);
    const data = await first();
    expect(type.renewal?.isDue({ ...data, host: 'other.example' }, 0)).toBe(true);
    expect(type.renewal?.isDue({ ...login(), trustFirstHostKey: true, hostKeyFingerprints: server.fingerprint }, 0)).toBe(
      false,
    );
    expect(type.renewal?.isDue(login(), 0)).toBe(false);
  });

  test('rejects fingerprints in another format when the credential is saved', async () => {
    server = await sshServer(password);
    expect(type.problemOf?.({ hostKeyFingerprints: server.fingerprint })).toBeUndefined();
    expect(type.problemOf?.({ hostKeyFingerprints: 'MD5:aa:bb' })).toContain('MD5:aa:bb');
  });
});
