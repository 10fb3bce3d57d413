import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '@sluice/embedded';
import { runServer, type TestServer, userOf } from './run-server.ts';
import { libraryTriple, serverFiles } from './server-files.ts';

export interface OpenSsh extends TestServer {
  /** Directory of the user `ann`, in which sessions start. */
  home: string;
  /** Fingerprint of its host key, as `ssh-keygen -l` prints it. */
  fingerprint: string;
}

interface SshLogin {
  password: string;
  /** Public key that can also log in, as in `authorized_keys`. */
  publicKey?: string;
}

/**
 * OpenSSH with SFTP for `ann`, whom only this server knows: `nss_wrapper` provides its list of
 * users.
 */
export async function startOpenSsh({ password, publicKey = '' }: SshLogin): Promise<OpenSsh> {
  const wrapper = `usr/lib/${libraryTriple()}/libnss_wrapper.so`;
  const files = await serverFiles(
    'openssh',
    ['openssh-server', 'openssh-client', 'libnss-wrapper', 'openssl'],
    ['usr/sbin/sshd', 'usr/bin/ssh-keygen', 'usr/bin/openssl', wrapper],
  );
  const keygen = await files.find('usr/bin/ssh-keygen');
  const account = { home: '', fingerprint: '' };
  const server = await runServer('openssh', async ({ home, port, launcher }) => {
    const at = (name: string) => join(home, name);
    const { uid, gid } = userOf(launcher);
    await mkdir(at('ann'));
    await runCommand(keygen, ['-q', '-t', 'ed25519', '-N', '', '-f', at('host-key')], { env: files.env });
    const hash = (await runCommand(await files.find('usr/bin/openssl'), ['passwd', '-6', password])).trim();
    await writeFile(at('passwd'), `ann:${hash}:${uid}:${gid}::${at('ann')}:/bin/sh\n`);
    await writeFile(at('group'), `ann:x:${gid}:\n`);
    await writeFile(at('authorized-keys'), publicKey);
    await writeFile(at('configuration'), configuration(port, home));
    const [, fingerprint = ''] = (await runCommand(keygen, ['-l', '-f', at('host-key.pub')], { env: files.env })).split(' ');
    Object.assign(account, { home: at('ann'), fingerprint });
    const env = {
      ...files.env,
      LD_PRELOAD: await files.find(wrapper),
      NSS_WRAPPER_PASSWD: at('passwd'),
      NSS_WRAPPER_GROUP: at('group'),
    };
    return { file: await files.find('usr/sbin/sshd'), args: ['-D', '-e', '-f', at('configuration')], env };
  });
  return { ...server, ...account };
}

function configuration(port: number, home: string): string {
  return [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(home, 'host-key')}`,
    `AuthorizedKeysFile ${join(home, 'authorized-keys')}`,
    'PidFile none',
    'UsePAM no',
    'StrictModes no',
    'PasswordAuthentication yes',
    'Subsystem sftp internal-sftp',
    '',
  ].join('\n');
}
