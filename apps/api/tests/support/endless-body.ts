import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

/**
 * Sends a body that never ends, `start` and then the same again and again, until the answer is there; resolves to its status. With a `content-length`
 * among the headers nothing but the start is sent.
 */
export async function statusOfEndless(url: string, headers: Record<string, string>, start = ''): Promise<number | undefined> {
  const sent = request(url, { method: 'POST', headers });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  answered.catch(() => undefined);
  sent.write(start || ' ');
  const filler = Buffer.alloc(16_384, 'x');
  let isAnswered = false;
  void answered.finally(() => {
    isAnswered = true;
  });
  while (!isAnswered && headers['content-length'] === undefined) {
    if (!sent.write(filler)) await Promise.race([once(sent, 'drain'), answered]);
  }
  const [response] = await answered;
  sent.destroy();
  return response.statusCode;
}
