import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '@sluice/embedded';
import { launched, runServer, type TestServer } from './run-server.ts';
import { serverFiles } from './server-files.ts';

const program = 'usr/sbin/mariadbd';
const share = 'usr/share/mysql';
const tables = ['mysql_system_tables.sql', 'mysql_system_tables_data.sql'].map((name) => `${share}/${name}`);

/** MariaDB with an empty database `shop` and the user `ann` with all privileges. */
export async function startMariaDb(password: string): Promise<TestServer> {
  const files = await serverFiles('mariadb', ['mariadb-server-core'], [program, ...tables]);
  return runServer('mariadb', async ({ home, port, launcher }) => {
    const file = await files.find(program);
    const usr = join(file, '..', '..');
    const settings = [
      '--no-defaults',
      `--basedir=${usr}`,
      `--datadir=${home}`,
      `--lc-messages-dir=${join(usr, 'share', 'mysql')}`,
      `--plugin-dir=${join(usr, 'lib', 'mysql', 'plugin')}`,
      '--innodb-log-file-size=4M',
      '--innodb-buffer-pool-size=16M',
      '--innodb-flush-method=nosync',
    ];
    const input = join(home, 'initial.sql');
    await writeFile(input, await initialStatements(files.find, password));
    await launcher.own(home);
    const bootstrap = launched(launcher, {
      file: '/bin/sh',
      args: ['-c', 'exec "$@" <"$0"', input, file, ...settings, '--bootstrap'],
    });
    await runCommand(bootstrap.file, bootstrap.args, { env: files.env, uid: launcher.uid, gid: launcher.gid });
    const listen = [`--port=${port}`, '--bind-address=127.0.0.1', `--socket=${join(home, 'socket')}`, '--skip-name-resolve'];
    return { file, args: [...settings, ...listen], env: files.env };
  });
}

async function initialStatements(find: (path: string) => Promise<string>, password: string): Promise<string> {
  const system = await Promise.all(tables.map(async (path) => readFile(await find(path), 'utf8')));
  return [
    'CREATE DATABASE mysql;',
    'USE mysql;',
    ...system,
    'CREATE DATABASE shop;',
    'FLUSH PRIVILEGES;',
    `CREATE USER ann@'127.0.0.1' IDENTIFIED BY '${password}';`,
    `GRANT ALL ON *.* TO ann@'127.0.0.1';`,
    '',
  ].join('\n');
}
