import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A serialized request that is sent repeatedly. */
interface LoadTarget {
  port: number;
  bytes: Buffer;
}

/** `body` is sent as JSON. */
export function loadTarget(
  port: number,
  method: string,
  path: string,
  { key, body }: { key?: string; body?: object },
): LoadTarget {
  const json = body ? JSON.stringify(body) : '';
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    ...(key ? [`x-service-api-key: ${key}`] : []),
    ...(body ? ['content-type: application/json', `content-length: ${Buffer.byteLength(json)}`] : []),
  ];
  return { port, bytes: Buffer.from(`${lines.join('\r\n')}\r\n\r\n${json}`) };
}

/**
 * Sends a request `count` times over `connections` keep-alive connections. Resolves to the seconds
 * that this took. Uses far less CPU than an HTTP library, so that even on few cores it measures the
 * service, not the client. Throws if a status is not 200 or if a response has no `Content-Length`.
 */
export async function load({ port, bytes }: LoadTarget, count: number, connections: number): Promise<number> {
  let remaining = count;
  const client = async () => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    while (remaining-- > 0) await exchange(socket, bytes);
    socket.destroy();
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: connections }, client));
  return (performance.now() - startedAt) / 1_000;
}

function exchange(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    let missing = Number.POSITIVE_INFINITY;
    const onData = (chunk: Buffer) => {
      received.push(chunk);
      missing = missing === Number.POSITIVE_INFINITY ? missingAfter(Buffer.concat(received)) : missing - chunk.length;
      if (missing <= 0) settle();
    };
    const onClose = () => settle(new Error('the server closed the connection'));
    const settle = (error?: Error) => {
      socket.off('data', onData).off('close', onClose);
      const status = received[0]?.toString('latin1', 9, 12);
      if (error || status !== '200') reject(error ?? new Error(`returned ${Buffer.concat(received).toString()}`));
      else resolve();
    };
    socket.on('data', onData).on('close', onClose);
    socket.write(bytes);
  });
}

/** Number of bytes of the body that have not arrived; infinite while the headers are incomplete. */
function missingAfter(received: Buffer): number {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return Number.POSITIVE_INFINITY;
  const length = /content-length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1];
  if (length === undefined) throw new Error('the response has no Content-Length');
  return end + 4 + Number(length) - received.length;
}
