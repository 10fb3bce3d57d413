import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '@sluice/embedded';
import { runServer, type TestServer } from './run-server.ts';
import { serverFiles } from './server-files.ts';

/** RabbitMQ for AMQP 0-9-1 and 1.0, with the user `ann` as administrator. */
export async function startRabbitMq(password: string): Promise<TestServer> {
  const program = 'usr/lib/rabbitmq/bin/rabbitmq-server';
  const { root } = await serverFiles('rabbitmq', ['rabbitmq-server'], [program, 'usr/bin/erl']);
  return runServer('rabbitmq', async ({ home, port }) => {
    const at = (name: string) => join(home, name);
    await mkdir(at('log'));
    await writeFile(at('plugins'), '[rabbitmq_amqp1_0].');
    await writeFile(
      at('rabbitmq.conf'),
      [
        `listeners.tcp.1 = 127.0.0.1:${port}`,
        'default_user = ann',
        `default_pass = ${password}`,
        'log.console = true',
        '',
      ].join('\n'),
    );
    const env = {
      HOME: home,
      RABBITMQ_NODENAME: `sluice-${port}@localhost`,
      RABBITMQ_CONFIG_FILE: at('rabbitmq.conf'),
      RABBITMQ_ENABLED_PLUGINS_FILE: at('plugins'),
      RABBITMQ_MNESIA_BASE: at('data'),
      RABBITMQ_LOG_BASE: at('log'),
      RABBITMQ_DIST_PORT: String(await findFreePort()),
      ERL_EPMD_ADDRESS: '127.0.0.1',
      ERL_EPMD_PORT: String(await findFreePort()),
    };
    return { file: `/${program}`, args: [], env, namespace: { root } };
  });
}
