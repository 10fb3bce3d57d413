import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort, runCommand } from '@sluice/embedded';
import { runServer, type TestServer } from './run-server.ts';
import { type ServerFiles, serverFiles } from './server-files.ts';

const program = 'usr/bin/redis-server';
const cli = 'usr/bin/redis-cli';

const redisFiles = (): Promise<ServerFiles> => serverFiles('redis', ['redis-server'], [program, cli]);

/**
 * A Redis without persistence. `settings`: as in redis.conf; `port` is set, or with TLS `tls-port`.
 */
export async function startRedisServer(
  settings: Record<string, string> = {},
  tls?: { cert: string; key: string },
): Promise<TestServer> {
  const files = await redisFiles();
  return runServer('redis', async ({ home, port }) => {
    const all = { dir: home, save: '', ...settings, ...(tls ? await tlsSettings(home, port, tls) : { port: String(port) }) };
    const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
    return { file: await files.find(program), args, env: files.env };
  });
}

/** TLS settings that also require the certificate from clients. */
async function tlsSettings(home: string, port: number, { cert, key }: { cert: string; key: string }) {
  const [certFile, keyFile] = [join(home, 'cert.pem'), join(home, 'key.pem')];
  await Promise.all([writeFile(certFile, cert), writeFile(keyFile, key)]);
  return {
    port: '0',
    'tls-port': String(port),
    'tls-cert-file': certFile,
    'tls-key-file': keyFile,
    'tls-ca-cert-file': certFile,
  };
}

/**
 * A master named `mine`, two replicas, and three sentinels. Servers and sentinels have different
 * passwords.
 */
export interface SentinelServers {
  servers: TestServer[];
  sentinels: TestServer[];
  close(): Promise<void>;
}

export async function startSentinelServers(passwords: { redis: string; sentinel: string }): Promise<SentinelServers> {
  const started: TestServer[] = [];
  const close = async () => void (await Promise.all(started.map((server) => server.close())));
  const keep = (server: TestServer) => {
    started.push(server);
    return server;
  };
  try {
    const login = { requirepass: passwords.redis, masterauth: passwords.redis };
    const master = keep(await startRedisServer(login));
    for (let i = 0; i < 2; i += 1) keep(await startRedisServer({ ...login, replicaof: `127.0.0.1 ${master.port}` }));
    for (let i = 0; i < 3; i += 1) keep(await startSentinel(master, passwords));
    return { servers: started.slice(0, 3), sentinels: started.slice(3), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startSentinel(master: TestServer, passwords: { redis: string; sentinel: string }): Promise<TestServer> {
  const files = await redisFiles();
  return runServer('sentinel', async ({ home, port }) => {
    const configuration = join(home, 'sentinel.conf');
    await writeFile(
      configuration,
      [
        `port ${port}`,
        `dir ${home}`,
        `requirepass ${passwords.sentinel}`,
        `sentinel sentinel-pass ${passwords.sentinel}`,
        `sentinel monitor mine 127.0.0.1 ${master.port} 2`,
        `sentinel auth-pass mine ${passwords.redis}`,
        'sentinel down-after-milliseconds mine 1500',
        'sentinel failover-timeout mine 5000',
        '',
      ].join('\n'),
    );
    return { file: await files.find(program), args: [configuration, '--sentinel'], env: files.env };
  });
}

/** Three masters with one replica each. */
export interface RedisCluster {
  nodes: TestServer[];
  close(): Promise<void>;
}

export async function startRedisCluster(): Promise<RedisCluster> {
  const files = await redisFiles();
  const nodes: TestServer[] = [];
  const close = async () => void (await Promise.all(nodes.map((node) => node.close())));
  try {
    for (let i = 0; i < 6; i += 1) {
      const bus = String(await findFreePort());
      nodes.push(await startRedisServer({ 'cluster-enabled': 'yes', 'cluster-node-timeout': '2000', 'cluster-port': bus }));
    }
    const addresses = nodes.map(({ host, port }) => `${host}:${port}`);
    const args = ['--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes'];
    await runCommand(await files.find(cli), args, { env: files.env, timeoutMs: 60_000 });
    return { nodes, close };
  } catch (error) {
    await close();
    throw error;
  }
}
