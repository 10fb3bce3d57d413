import { Cluster, type Redis } from 'ioredis';
import type { RedisClient } from './redis.ts';
import { parseRedisUrl, type RedisHost } from './redis-address.ts';

/** The hosts and ports of the URL, as the client reads it. Empty for a Unix socket. */
export function redisEndpoints(url: string): RedisHost[] {
  return parseRedisUrl(url).hosts;
}

/**
 * Calls `onFound` once for each server that the client discovers: the nodes of a cluster, or behind
 * Sentinel the master and its replicas, including after each reconnect and failover.
 */
export function discoverEndpoints(redis: RedisClient, onFound: (host: RedisHost) => void): void {
  const known = new Set<string>();
  const found = ({ host, port }: RedisHost) => {
    if (known.has(`${host}:${port}`)) return;
    known.add(`${host}:${port}`);
    onFound({ host, port });
  };
  if (redis instanceof Cluster) {
    redis.on('+node', ({ options: { host, port } }: Redis) => {
      if (host !== undefined && port !== undefined) found({ host, port });
    });
    return;
  }
  if (!redis.options.sentinels) return;
  redis.on('ready', () => {
    const { remoteAddress: host, remotePort: port } = redis.stream as { remoteAddress?: string; remotePort?: number };
    if (host !== undefined && port !== undefined) found({ host, port });
    redis.info('replication').then(
      (text) => {
        for (const [, replica = '', number] of text.matchAll(/^slave\d+:ip=([^,]+),port=(\d+)/gm))
          found({ host: replica, port: Number(number) });
      },
      () => undefined, // requested again after the next reconnect
    );
  });
}
