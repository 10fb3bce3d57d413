import { Agent, get } from 'node:http';

export interface Target {
  port: number;
  path: string;
  headers?: Record<string, string>;
}

/**
 * Requests per second that a server completes, over `connections` keep-alive connections. Throws if
 * a status is not 200.
 */
export async function requestRate(
  target: Target,
  { seconds, connections }: { seconds: number; connections: number },
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  let completed = 0;
  const client = async () => {
    while (performance.now() < endsAt) {
      await request(target, agent);
      completed += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  const elapsed = (performance.now() - startedAt) / 1_000;
  agent.destroy();
  return completed / elapsed;
}

/** Resolves to the body. */
export function request({ port, path, headers = {} }: Target, agent?: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = get({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(chunks).toString());
        else reject(new Error(`returned ${response.statusCode}`));
      });
    });
    sent.on('error', reject);
  });
}
