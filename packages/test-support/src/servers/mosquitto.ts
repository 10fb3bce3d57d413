import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '@sluice/embedded';
import { runServer, type TestServer } from './run-server.ts';
import { serverFiles } from './server-files.ts';

/**
 * An MQTT broker that accepts `ann` with a password and denies messages and subscriptions to
 * `forbidden`.
 */
export async function startMosquitto(password: string): Promise<TestServer> {
  const files = await serverFiles('mosquitto', ['mosquitto'], ['usr/sbin/mosquitto', 'usr/bin/mosquitto_passwd']);
  return runServer('mosquitto', async ({ home, port }) => {
    const [users, access, configuration] = ['users', 'access', 'configuration'].map((name) => join(home, name)) as [
      string,
      string,
      string,
    ];
    await writeFile(users, '');
    await runCommand(await files.find('usr/bin/mosquitto_passwd'), ['-b', users, 'ann', password], { env: files.env });
    await writeFile(access, 'topic deny forbidden\nuser ann\ntopic readwrite #\ntopic deny forbidden\n');
    await writeFile(
      configuration,
      [`listener ${port} 127.0.0.1`, `password_file ${users}`, `acl_file ${access}`, 'user root', 'max_queued_messages 0'].join(
        '\n',
      ),
    );
    return { file: await files.find('usr/sbin/mosquitto'), args: ['-c', configuration], env: files.env };
  });
}
