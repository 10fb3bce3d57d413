import type { AddressInfo } from 'node:net';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

/**
 * `up`: forwards. `refusing`: connections break at once. `silent`: they stay open, but no data
 * passes.
 */
type ProxyState = 'up' | 'refusing' | 'silent';

export interface OutageProxy {
  port: number;
  set(state: ProxyState): void;
  close(): Promise<void>;
}

/** A proxy between a client and a server that can simulate an outage. */
async function startOutageProxy(target: NetConnectOpts): Promise<OutageProxy> {
  let state: ProxyState = 'up';
  const sockets = new Set<Socket>();
  const forward = (from: Socket, to: Socket) => {
    from.on('data', (chunk) => {
      if (state !== 'silent') to.write(chunk);
    });
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
    sockets.add(from.once('close', () => sockets.delete(from)));
  };
  const server = createServer((client) => {
    if (state === 'refusing') {
      client.destroy();
      return;
    }
    const upstream = connect(target);
    forward(client, upstream);
    forward(upstream, client);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      state = next;
      if (next === 'refusing' || next === 'up') for (const socket of sockets) socket.destroy();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

/** A proxy for a Postgres URL, TCP or socket directory, and the URL that goes through it. */
export async function proxyPostgres(url: string): Promise<{ proxy: OutageProxy; url: string }> {
  const [, credentials = '', address = '', database = '', query = ''] =
    /^postgres(?:ql)?:\/\/([^@]*)@([^/]*)\/([^?]*)\??(.*)$/.exec(url) ?? [];
  const directory = new URLSearchParams(query).get('host');
  const [host = '', port = '5432'] = address.split(':');
  const proxy = await startOutageProxy(directory ? { path: `${directory}/.s.PGSQL.5432` } : { host, port: Number(port) });
  return { proxy, url: `postgresql://${credentials}@127.0.0.1:${proxy.port}/${database}` };
}

export async function proxyRedis(url: string): Promise<{ proxy: OutageProxy; url: string }> {
  if (url.startsWith('unix://')) {
    const proxy = await startOutageProxy({ path: url.slice('unix://'.length) });
    return { proxy, url: `redis://127.0.0.1:${proxy.port}` };
  }
  const { hostname, port, username, password } = new URL(url);
  const proxy = await startOutageProxy({ host: hostname, port: Number(port || 6379) });
  return { proxy, url: `redis://${username}:${password}@127.0.0.1:${proxy.port}` };
}
