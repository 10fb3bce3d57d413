import { Redis } from 'ioredis';

export interface RedisFacts {
  pid: number;
  /** Whether it is still loading its data from disk. */
  loading: boolean;
  /** Its data directory, as seen by the server. */
  directory: string;
}

/** Reads the identity of the Redis at a URL. Rejects if none responds. */
export async function probeRedis(url: string): Promise<RedisFacts> {
  const client = new Redis(url, {
    lazyConnect: true,
    enableReadyCheck: false,
    connectTimeout: 2000,
    commandTimeout: 2000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const info = await client.info();
    const loading = /^loading:1/m.test(info);
    const [, directory = ''] = loading ? [] : ((await client.config('GET', 'dir')) as string[]);
    return { pid: Number(/^process_id:(\d+)/m.exec(info)?.[1]), loading, directory };
  } finally {
    // For a connection that has failed, `disconnect` only sets a timer, which would delay the exit
    // of the process.
    if (client.status !== 'end') client.disconnect();
  }
}
