import { Redis } from 'ioredis';

/** Where the client connects to, by its own reading of the URL. Empty for a Unix socket. */
export function redisEndpoints(url: string): { host: string; port: number }[] {
  if (url.startsWith('unix://')) return [];
  const { path, host = 'localhost', port = 6379 } = new Redis(url, { lazyConnect: true }).options;
  return path === undefined ? [{ host: host.replace(/^\[(.*)\]$/, '$1'), port }] : [];
}
