import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { eventually } from '@sluice/test-support';

/** The suffix that RFC 6455 appends to the key on both sides. */
const handshakeSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const textFrame = 0x81;
const opcodeMask = 0x0f;
const textOpcode = 0x01;
const maskBytes = 4;
const longLength = 126;

/**
 * A loopback WebSocket server that records messages. Supports messages in one frame of less than
 * 64 KiB.
 */
export class WebSocketServer {
  /** Request headers of each handshake. */
  readonly handshakes: IncomingHttpHeaders[] = [];
  /** Received messages. */
  readonly received: string[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor() {
    this.#server = createServer((_, response) => void response.writeHead(426).end());
    this.#server.on('upgrade', (request: IncomingMessage, socket: Socket) => this.#upgrade(request, socket));
  }

  static async start(): Promise<WebSocketServer> {
    const server = new WebSocketServer();
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  /** Waits for a client, then sends the message to all clients. */
  async broadcast(message: object): Promise<void> {
    await eventually(() => this.connections > 0);
    for (const socket of this.#sockets) socket.write(frameOf(JSON.stringify(message)));
  }

  /** Breaks all connections. New connections are accepted. */
  hangUp(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.hangUp();
    this.#server.close();
  }

  #upgrade({ headers }: IncomingMessage, socket: Socket): void {
    this.handshakes.push(headers);
    const key = createHash('sha1').update(`${headers['sec-websocket-key']}${handshakeSuffix}`).digest('base64');
    const protocol = headers['sec-websocket-protocol']?.split(',').at(-1)?.trim();
    const lines = [
      'HTTP/1.1 101 Switching Protocols',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${key}`,
      ...(protocol === undefined ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    this.#sockets.add(socket);
    let rest: Buffer = Buffer.alloc(0);
    socket.on('data', (bytes: Buffer) => {
      rest = this.#read(Buffer.concat([rest, bytes]));
    });
    socket.on('end', () => socket.end()); // sockets of an HTTP server stay half open
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
  }

  /** Records the text of complete frames and returns the bytes of an incomplete frame. */
  #read(bytes: Buffer): Buffer {
    let at = 0;
    while (bytes.length - at >= 2) {
      const short = bytes.readUInt8(at + 1) & 0x7f;
      const isLong = short === longLength;
      if (isLong && bytes.length - at < 4) break;
      const length = isLong ? bytes.readUInt16BE(at + 2) : short;
      const maskAt = at + (isLong ? 4 : 2);
      const end = maskAt + maskBytes + length;
      if (bytes.length < end) break;
      const mask = bytes.subarray(maskAt, maskAt + maskBytes);
      const payload = bytes.subarray(maskAt + maskBytes, end).map((byte, index) => byte ^ (mask[index % maskBytes] ?? 0));
      if ((bytes.readUInt8(at) & opcodeMask) === textOpcode) this.received.push(Buffer.from(payload).toString());
      at = end;
    }
    return bytes.subarray(at);
  }
}

function frameOf(text: string): Buffer {
  const payload = Buffer.from(text);
  if (payload.length < longLength) return Buffer.concat([Buffer.from([textFrame, payload.length]), payload]);
  const head = Buffer.alloc(4);
  head.set([textFrame, longLength]);
  head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}
