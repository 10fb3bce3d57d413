import { mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { runServer, type TestServer } from './run-server.ts';
import { serverFiles } from './server-files.ts';

export interface Vsftpd extends TestServer {
  /** Directory in which sessions start. */
  home: string;
}

/**
 * vsftpd for anonymous users with all permissions, because it checks passwords only as root. Unlike
 * ProFTPD, it lists directories as `ls` does.
 */
export async function startVsftpd(): Promise<Vsftpd> {
  const files = await serverFiles('vsftpd', ['vsftpd', 'libwrap0', 'libnsl2'], ['usr/sbin/vsftpd']);
  let directory = '';
  const server = await runServer('vsftpd', async ({ home, port }) => {
    directory = join(home, 'files');
    await mkdir(directory);
    const file = join(home, 'configuration');
    await writeFile(file, configuration(port, directory));
    return { file: await files.find('usr/sbin/vsftpd'), args: [file], env: files.env };
  });
  return { ...server, home: directory };
}

function configuration(port: number, directory: string): string {
  return [
    'listen=YES',
    'listen_address=127.0.0.1',
    `listen_port=${port}`,
    'background=NO',
    'run_as_launching_user=YES',
    'local_enable=NO',
    'anonymous_enable=YES',
    `ftp_username=${userInfo().username}`,
    `anon_root=${directory}`,
    'anon_umask=022',
    'anon_world_readable_only=NO',
    'write_enable=YES',
    'anon_upload_enable=YES',
    'anon_mkdir_write_enable=YES',
    'anon_other_write_enable=YES',
    'seccomp_sandbox=NO', // its seccomp filter depends on the system libraries
    '',
  ].join('\n');
}
