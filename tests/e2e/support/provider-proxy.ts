import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { listening, selfSigned } from '@sluice/http-client/testing';
import type { ApiServer } from '@sluice/nodes-services/testing';
import type { Settings } from '../harness.ts';

/**
 * A reverse TLS proxy for the hosts of all providers on one port. Forwards a request to the server
 * of the host that has the operation.
 */
export class ProviderProxy {
  /**
   * Settings that route the connections of the programs under test to the proxy. Their own checks
   * stay active.
   */
  readonly settings: Settings;
  /** Requests that match no operation of a server. */
  readonly unmatched: string[] = [];
  readonly stop: () => Promise<void>;

  private constructor(port: number, stop: () => Promise<void>) {
    this.settings = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload(port))}` };
    this.stop = stop;
  }

  /** @param hosts Additional hosts of servers, besides the host of their `baseUrl`. */
  static async start(
    servers: readonly ApiServer[],
    hosts: Readonly<Record<string, ApiServer | undefined>>,
  ): Promise<ProviderProxy> {
    let proxy: ProviderProxy;
    const server = createServer(selfSigned, (request, response) => {
      const { pathname } = new URL(request.url ?? '', 'https://provider');
      const { host = '' } = request.headers;
      const candidates = servers.filter((one) => one.baseUrl === `https://${host}` || hosts[host] === one);
      // The last server wins: the server of Google Docs has only a part of Google Drive, whose own
      // server follows.
      const target = candidates.findLast((one) => one.has(request.method ?? '', pathname)) ?? candidates[0];
      if (target) void forwardRequest(target.origin, request, response);
      else {
        proxy.unmatched.push(`${request.method} https://${host}${pathname}`);
        response.writeHead(502).end();
      }
    });
    const { port, close } = await listening(server);
    proxy = new ProviderProxy(port, close);
    return proxy;
  }
}

async function forwardRequest(origin: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, headers, url } = request;
  const passed = forward(`${origin}${url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    void pipeline(answer, response).catch(() => response.destroy());
  });
  await pipeline(request, passed).catch(() => response.destroy());
}

/**
 * Preloaded into a program. Resolves names to the loopback interface and port 443 to the proxy,
 * whose certificate is for `localhost`. The SSRF guard sees the loopback address.
 */
function preload(port: number): string {
  return `
    import dns from 'node:dns';
    import { syncBuiltinESMExports } from 'node:module';
    import tls from 'node:tls';
    const { lookup } = dns;
    const { connect } = tls;
    const proxy = { port: ${port}, servername: 'localhost', ca: ${JSON.stringify(selfSigned.cert)} };
    dns.lookup = (name, ...others) => lookup(name === 'localhost' ? name : '127.0.0.1', ...others);
    tls.connect = (options, ...others) => connect(options.port === 443 ? { ...options, ...proxy } : options, ...others);
    syncBuiltinESMExports();`;
}
