import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { findFreePort, isPortFree } from './free-port.ts';

const host = '127.0.0.1';
const servers: Server[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done)))));

async function taken(): Promise<number> {
  const server = createServer().listen(0, host);
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('a free port', () => {
  test('is outside the range for outgoing connections, and different at each call', async () => {
    const ports = await Promise.all(Array.from({ length: 200 }, () => findFreePort()));
    expect(new Set(ports).size).toBe(200);
    expect(Math.min(...ports)).toBeGreaterThanOrEqual(20_000);
    expect(Math.max(...ports)).toBeLessThan(32_000);
  });

  test('is not in use', async () => {
    const port = await taken();
    expect(await isPortFree(port, host)).toBe(false);
    await expect(findFreePort(host, { from: port, to: port + 1 })).rejects.toThrow(`no free port from ${port} to ${port}`);
  });

  test('requires an address of this machine', async () => {
    await expect(findFreePort('192.0.2.1')).rejects.toThrow('EADDRNOTAVAIL');
  });
});
