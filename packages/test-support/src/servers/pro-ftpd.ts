import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '@sluice/embedded';
import { runServer, type TestServer, userOf } from './run-server.ts';
import { serverFiles } from './server-files.ts';

export interface ProFtpd extends TestServer {
  /** Directory of the user `ann`, in which sessions start. */
  home: string;
}

/** ProFTPD for `ann`. vsftpd checks passwords only as root. */
export async function startProFtpd(password: string): Promise<ProFtpd> {
  const programs = ['usr/sbin/proftpd', 'usr/bin/openssl'];
  const files = await serverFiles('proftpd', ['proftpd-core', 'openssl'], programs);
  let directory = '';
  const server = await runServer('proftpd', async ({ home, port, launcher }) => {
    const at = (name: string) => join(home, name);
    const { uid, gid } = userOf(launcher);
    directory = at('ann');
    await mkdir(directory);
    const hash = (await runCommand(await files.find('usr/bin/openssl'), ['passwd', '-6', password], { env: files.env })).trim();
    await writeFile(at('users'), `ann:${hash}:${uid}:${gid}::${directory}:/bin/sh\n`);
    await writeFile(at('groups'), `ann:x:${gid}:\n`);
    // ProFTPD rejects files that others can read.
    for (const name of ['users', 'groups']) await chmod(at(name), 0o600);
    await writeFile(at('configuration'), configuration(port, home));
    return { file: await files.find('usr/sbin/proftpd'), args: ['-n', '-q', '-c', at('configuration')], env: files.env };
  });
  return { ...server, home: directory };
}

function configuration(port: number, home: string): string {
  const at = (name: string) => join(home, name);
  return [
    `Port ${port}`,
    'DefaultServer on',
    'DefaultAddress 127.0.0.1',
    'UseIPv6 off',
    'UseReverseDNS off',
    'User nobody',
    'Group nogroup',
    'WtmpLog off',
    'UseLastlog off',
    'DelayEngine off',
    'TransferLog none',
    `PidFile ${at('pid')}`,
    `ScoreboardFile ${at('scoreboard')}`,
    'AuthOrder mod_auth_file.c',
    `AuthUserFile ${at('users')}`,
    `AuthGroupFile ${at('groups')}`,
    'RequireValidShell off',
    'AllowOverwrite on',
    '',
  ].join('\n');
}
