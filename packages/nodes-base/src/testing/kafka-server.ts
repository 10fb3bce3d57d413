import { createServer, type Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { type LoopbackServer, listening } from './loopback-server.ts';

/** A message as a broker got it. */
export interface KafkaMessage {
  topic: string;
  key: string | null;
  value: string;
  headers: Record<string, string>;
  acks: number;
  gzip: boolean;
}

export interface KafkaServer extends LoopbackServer {
  messages: KafkaMessage[];
  /** What it says where its broker is, in place of where it is. */
  advertised: { host: string; port: number } | undefined;
}

/** Keys of the requests, and the version of each that it speaks. */
const versions = { produce: [0, 3], metadata: [3, 1], saslHandshake: [17, 1], apiVersions: [18, 1], saslAuthenticate: [36, 0] };

/**
 * A cluster of one broker that lets `ann` in with a password, and has every topic with one partition, but for `missing`; it refuses what goes to `full`,
 * and says nothing to what goes to `silent`.
 */
export async function kafkaServer(password: string): Promise<KafkaServer> {
  const server: Omit<KafkaServer, keyof LoopbackServer> = { messages: [], advertised: undefined };
  const loopback = await listening(createServer((socket) => serve(socket, (request) => answer(request))));
  const all = Object.assign(server, loopback);

  function answer({ key, version, body }: Request): Buffer | undefined {
    switch (key) {
      case 18: {
        const list = Object.values(versions).map(([api = 0, newest = 0]) =>
          Buffer.concat([int16(api), int16(0), int16(newest)]),
        );
        return Buffer.concat([int16(0), int32(list.length), ...list, version > 0 ? int32(0) : Buffer.alloc(0)]);
      }
      case 17:
        return Buffer.concat([int16(0), int32(1), text('PLAIN')]);
      case 36: {
        const [, user, given] = body.bytes().toString().split('\0');
        const accepted = user === 'ann' && given === password;
        return Buffer.concat([int16(accepted ? 0 : 58), text(accepted ? '' : 'who is that'), int32(0)]);
      }
      case 3:
        return metadata(body);
      default:
        return produce(body);
    }
  }

  function metadata(body: Reader): Buffer {
    const topics = Array.from({ length: Math.max(body.int32(), 0) }, () => body.text());
    const { host, port } = all.advertised ?? { host: '127.0.0.1', port: all.port };
    const broker = Buffer.concat([int32(1), text(host), int32(port), int16(-1)]);
    const partition = Buffer.concat([int16(0), int32(0), int32(1), int32(1), int32(1), int32(1), int32(1)]);
    const known = topics.map((name) =>
      name === 'missing'
        ? Buffer.concat([int16(3), text(name), Buffer.of(0), int32(0)])
        : Buffer.concat([int16(0), text(name), Buffer.of(0), int32(1), partition]),
    );
    return Buffer.concat([int32(1), broker, int32(1), int32(known.length), ...known]);
  }

  function produce(body: Reader): Buffer | undefined {
    body.text();
    const acks = body.int16();
    body.skip(8);
    const topic = body.text();
    body.skip(8);
    all.messages.push({ topic, acks, ...readRecord(body.bytes()) });
    if (topic === 'silent') return undefined;
    const outcome = Buffer.concat([int32(0), int16(topic === 'full' ? 10 : 0), int64(0), int64(-1)]);
    return Buffer.concat([int32(1), text(topic), int32(1), outcome, int32(0)]);
  }

  return all;
}

interface Request {
  key: number;
  version: number;
  body: Reader;
}

function serve(socket: Socket, answer: (request: Request) => Buffer | undefined): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= rest.readInt32BE(0) + 4) {
      const body = new Reader(rest.subarray(4, rest.readInt32BE(0) + 4));
      rest = rest.subarray(rest.readInt32BE(0) + 4);
      const [key, version, correlation] = [body.int16(), body.int16(), body.int32()];
      body.text();
      const given = answer({ key, version, body });
      if (given) socket.write(Buffer.concat([int32(given.length + 4), int32(correlation), given]));
    }
  });
}

/** The first record of a batch (format 2). */
function readRecord(batch: Buffer): Omit<KafkaMessage, 'topic' | 'acks'> {
  const gzip = (batch.readInt16BE(21) & 7) === 1;
  const record = new Reader(gzip ? gunzipSync(batch.subarray(61)) : batch.subarray(61));
  record.varint();
  record.skip(1);
  record.varint();
  record.varint();
  const key = record.varBytes();
  const value = record.varBytes();
  const headers = Array.from({ length: record.varint() }, () => [String(record.varBytes()), String(record.varBytes())]);
  return { key: key && String(key), value: String(value), headers: Object.fromEntries(headers), gzip };
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  skip(count: number): Buffer {
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  int16 = () => this.skip(2).readInt16BE();
  int32 = () => this.skip(4).readInt32BE();
  text = () => this.skip(Math.max(this.int16(), 0)).toString();
  bytes = () => this.skip(this.int32());

  /** Zigzag. */
  varint(): number {
    let [value, shift, byte] = [0, 0, 0];
    do {
      byte = this.skip(1)[0] ?? 0;
      value |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte > 0x7f);
    return (value >>> 1) ^ -(value & 1);
  }

  varBytes(): Buffer | null {
    const length = this.varint();
    return length < 0 ? null : this.skip(length);
  }
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}

function text(value: string): Buffer {
  return Buffer.concat([int16(Buffer.byteLength(value)), Buffer.from(value)]);
}
