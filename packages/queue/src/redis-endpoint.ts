import { Redis } from 'ioredis';

/**
 * The host and port that the client connects to, from the URL as the client reads it. Empty for a
 * Unix socket.
 */
export function redisEndpoints(url: string): { host: string; port: number }[] {
  if (url.startsWith('unix://')) return [];
  const { path, host = 'localhost', port = 6379 } = new Redis(url, { lazyConnect: true }).options;
  return path === undefined ? [{ host: host.replace(/^\[(.*)\]$/, '$1'), port }] : [];
}
