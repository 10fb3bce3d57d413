import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A request as it is sent, over and over. */
interface LoadTarget {
  port: number;
  bytes: Buffer;
}

/** `body`: sent as JSON. */
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
 * Sends a request `count` times over this many keep-alive connections. Resolves to the seconds that
 * it took. Costs the client far less than an HTTP library, so that on few cores the service is
 * measured. Throws for any status but 200, and for a body without a length.
 */
export async function load({ port, bytes }: LoadTarget, count: number, connections: number): Promise<number> {
  let left = count;
  const client = async () => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    while (left-- > 0) await exchange(socket, bytes);
    socket.destroy();
  };
  const beganAt = performance.now();
  await Promise.all(Array.from({ length: connections }, client));
  return (performance.now() - beganAt) / 1_000;
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

/** Bytes of the body that have not arrived; infinite while the header is incomplete. */
function missingAfter(received: Buffer): number {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return Number.POSITIVE_INFINITY;
  const length = /content-length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1];
  if (length === undefined) throw new Error('a response without a length');
  return end + 4 + Number(length) - received.length;
}
