import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runServer, type ServerPlace, type TestServer } from './run-server.ts';
import { serverFiles } from './server-files.ts';

/** PgBouncer in transaction mode in front of one server, with few server connections. */
export async function startPgBouncer(
  target: Pick<TestServer, 'host' | 'port'>,
  { serverConnections, port: fixedPort }: { serverConnections: number; port?: number },
): Promise<TestServer> {
  const program = 'usr/sbin/pgbouncer';
  const files = await serverFiles('pgbouncer', ['pgbouncer'], [program]);
  const prepare = async ({ home, port }: ServerPlace) => {
    const [configuration, users] = [join(home, 'pgbouncer.ini'), join(home, 'users.txt')];
    const settings = {
      listen_addr: '127.0.0.1',
      listen_port: port,
      unix_socket_dir: '',
      auth_type: 'trust',
      auth_file: users,
      pool_mode: 'transaction',
      default_pool_size: serverConnections,
      server_round_robin: 1, // each transaction on another server connection
      max_client_conn: 500,
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
    await writeFile(users, '"ann" ""\n');
    await writeFile(
      configuration,
      ['[databases]', `* = host=${target.host} port=${target.port}`, '[pgbouncer]', ...lines, ''].join('\n'),
    );
    return { file: await files.find(program), args: [configuration], env: files.env };
  };
  return runServer('pgbouncer', prepare, fixedPort);
}
