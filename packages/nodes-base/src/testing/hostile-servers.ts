import { createServer, type Socket } from 'node:net';
import { type LoopbackServer, listening } from '@sluice/http-client/testing';

/** Bytes that a server sends at the start of a connection, and in response to each packet. */
type HostileBytes = () => Buffer;

const bytes = (...parts: (string | number[] | Buffer)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));
const big = (...values: number[]) => Buffer.concat(values.map((value) => Buffer.from(new Int32Array([value]).buffer).swap32()));
const little = (...values: number[]) => Buffer.from(new Int32Array(values).buffer);
const times = (count: number, part: Buffer) => Buffer.alloc(count * part.length, part);

/** Pseudorandom bytes, the same in each run. */
function noise(seed: number): HostileBytes {
  let state = seed;
  return () => {
    const chunk = new Uint32Array(512);
    for (let index = 0; index < chunk.length; index++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      chunk[index] = state;
    }
    return Buffer.from(chunk.buffer);
  };
}

/** An AMQP 1.0 frame: SASL mechanisms, an array of 500,000,000 nulls that take no bytes. */
const countlessNulls = bytes(
  'AMQP\x03\x01\0\0',
  big(8 + 3 + 3 + 12),
  [2, 1, 0, 0, 0, 0x53, 0x40, 0xc0, 13, 1, 0xf0],
  big(9, 500_000_000),
  [0x40],
);

const always = (chunk: Buffer) => () => () => chunk;

/** Servers with no protocol or a broken protocol; the seed only matters for `noise`. */
export const hostileBytes: Readonly<Record<string, (seed: number) => HostileBytes>> = {
  'zero bytes': always(Buffer.alloc(64)),
  'a megabyte of zero bytes': always(Buffer.alloc(1_000_000)),
  'bytes of 255': always(Buffer.alloc(4_096, 0xff)),
  'huge lengths': always(bytes(big(0x7fffffff, 0x7fffffff), little(0x7fffffff, 0x7fffffff), Buffer.alloc(64, 1))),
  'negative lengths': always(bytes(big(-1, -5, -0x80000000), little(-1, -5, -0x80000000), Buffer.alloc(64))),
  'tiny lengths': always(times(2_000, bytes(big(1), little(1), big(4, 4), little(5)))),
  noise,
  HTTP: always(bytes('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')),
  'line greetings': always(times(5_000, bytes('220-hello\r\n'))),
  'one endless line': always(bytes('220 ', Buffer.alloc(500_000, 'a'))),
  'countless nulls of AMQP': always(countlessNulls),
  'nested frames of AMQP': always(
    bytes('AMQP\x03\x01\0\0', big(300_008), [2, 1, 0, 0, 0, 0x53, 0x40], Buffer.alloc(300_000, 0xf0)),
  ),
  'pings of AMQP 0-9-1': always(times(50_000, bytes([8, 0, 0], big(0), [0xce]))),
  'nested tables of AMQP 0-9-1': always(
    bytes(
      [1, 0, 0],
      big(10 + 18_000 * 7),
      [0, 10, 0, 10, 0, 9],
      big(18_000 * 7),
      times(18_000, bytes([1], 'aF', big(7))),
      [0xce],
    ),
  ),
  'a document of MongoDB with a negative length': always(
    bytes(little(30, 1, 0, 2013, 0), [0], little(-5), [0x10, 0x61, 0, 0, 0]),
  ),
  'empty documents of MongoDB': always(bytes(little(1_000_021, 1, 0, 2013, 0), Buffer.alloc(1_000_001))),
  'countless documents of MongoDB': always(bytes(little(40, 1, 0, 1, 0, 0, 0, 0, 0x7fffffff, 0))),
  'many acknowledgments of MQTT': always(bytes([0x20, 2, 0, 0], times(100_000, bytes([0x90, 2, 0, 1])))),
  'many messages of MQTT': always(bytes([0x20, 2, 0, 0], times(100_000, bytes([0x30, 3, 0, 1], 'a')))),
  'nested lists of Redis': always(times(200_000, bytes('*1\r\n'))),
  'a huge list of Redis': always(bytes('*100000000\r\n')),
  'many numbers of Redis': always(times(100_000, bytes(':1\r\n'))),
  'many login requests of Postgres': always(times(20_000, bytes('R', big(12, 5), 'abcd'))),
  'many notices of Postgres': always(times(50_000, bytes('N', big(12), 'M', 'hello\0\0'))),
  'many headers of Postgres': always(times(50_000, bytes('T', big(6), [0, 0]))),
  'packets of MySQL without content': always(times(50_000, Buffer.alloc(4))),
  'an error packet of MySQL': always(bytes([15, 0, 0, 0, 0xff, 0x15, 4], '#28000denied')),
  'capabilities of IMAP': always(bytes('* CAPABILITY ', times(200_000, bytes('A ')), '\r\n')),
  'nested lists of IMAP': always(bytes('* OK ', Buffer.alloc(300_000, '('), '\r\n')),
  'a huge literal of IMAP': always(bytes('* OK hi {9999999999}\r\n')),
  'untagged lines of IMAP': always(times(50_000, bytes('* OK hello\r\n'))),
  'extensions of SMTP': always(bytes('220 hi\r\n250-AUTH ', times(50_000, bytes('LOGIN ')), '\r\n250 ok\r\n')),
  'empty frames of Kafka': always(times(50_000, big(0))),
  'countless versions of Kafka': always(bytes(big(14, 1), [0, 0], big(2_000_000_000), Buffer.alloc(4))),
  'an SSH packet of any length': always(bytes('SSH-2.0-OpenSSH_9.6\r\n', big(-1), Buffer.alloc(64))),
};

/** A server that sends these bytes immediately and after each packet that it receives. */
export function hostileServer(source: HostileBytes): Promise<LoopbackServer> {
  return serving((socket) => {
    const send = () => {
      // If the client does not read, the server waits, like an attacker with little memory.
      if (!socket.destroyed && socket.writableLength < 4_000_000) socket.write(source());
    };
    send();
    socket.on('data', send);
  });
}

/** Servers whose timing is hostile. */
export const hostileTimings: Readonly<Record<string, (socket: Socket) => void>> = {
  'closes at once': (socket) => void socket.end(),
  'resets at once': (socket) => void socket.resetAndDestroy(),
  'closes after the first packet': (socket) => void socket.once('data', () => socket.destroy()),
  'says nothing': (socket) => void socket.resume(),
  'sends a byte from time to time': (socket) => {
    const timer = setInterval(() => socket.write(Buffer.of(0x32)), 20);
    socket.resume().once('close', () => clearInterval(timer));
  },
  'sends without end': (socket) => {
    const chunk = Buffer.alloc(65_536, '2');
    const send = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.resume().on('drain', send);
    send();
  },
};

export function serving(handle: (socket: Socket) => void): Promise<LoopbackServer> {
  return listening(createServer({ noDelay: true }, handle));
}
