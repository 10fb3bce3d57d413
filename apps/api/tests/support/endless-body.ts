import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

/**
 * Sends a body that never ends, `start` repeated until the response arrives; resolves to its
 * status. With a `content-length` header, only `start` is sent.
 */
export async function statusOfEndless(url: string, headers: Record<string, string>, start = ''): Promise<number | undefined> {
  const sent = request(url, { method: 'POST', headers });
  const received = once(sent, 'response') as Promise<[IncomingMessage]>;
  received.catch(() => undefined);
  sent.write(start || ' ');
  const filler = Buffer.alloc(16_384, 'x');
  let isOver = false;
  void received.finally(() => {
    isOver = true;
  });
  while (!isOver && headers['content-length'] === undefined) {
    if (!sent.write(filler)) await Promise.race([once(sent, 'drain'), received]);
  }
  const [response] = await received;
  sent.destroy();
  return response.statusCode;
}
