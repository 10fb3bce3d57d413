// Neither Debian nor npm provides Kafka.
import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { type LoopbackServer, listening } from '@sluice/http-client/testing';

/** A message as the broker received it. */
interface KafkaMessage {
  topic: string;
  key: string | null;
  value: string;
  headers: Record<string, string>;
  acks: number;
  gzip: boolean;
}

export interface KafkaServer extends LoopbackServer {
  messages: KafkaMessage[];
  /** Address that the broker advertises instead of its own. */
  advertised: { host: string; port: number } | undefined;
  /** Adds a message to partition 0 of a topic. */
  offer(topic: string, value: string, headers?: Record<string, string>): void;
  /** Replies to the first SCRAM message; without it, the login uses a password. */
  scram: ((message: string) => string) | undefined;
  /** `group topic` → committed offset. */
  committed: Map<string, number>;
}

/** API keys of the requests, and the supported version of each. */
const versions = {
  produce: [0, 3],
  fetch: [1, 4],
  listOffsets: [2, 1],
  metadata: [3, 1],
  offsetCommit: [8, 2],
  offsetFetch: [9, 1],
  findCoordinator: [10, 0],
  joinGroup: [11, 0],
  heartbeat: [12, 0],
  leaveGroup: [13, 0],
  syncGroup: [14, 0],
  saslHandshake: [17, 1],
  apiVersions: [18, 1],
  saslAuthenticate: [36, 0],
};

/** Maximum time that a fetch waits for a message, in milliseconds. */
const fetchWaitMs = 20;

/**
 * A cluster with one broker that accepts `ann` with a password. Every topic except `missing` exists
 * with one partition. It refuses messages to `full` and does not reply to messages to `silent`.
 */
export async function kafkaServer(password: string): Promise<KafkaServer> {
  const logs = new Map<string, Buffer[]>();
  const server: Omit<KafkaServer, keyof LoopbackServer> = {
    messages: [],
    advertised: undefined,
    scram: undefined,
    committed: new Map(),
    offer(topic, value, headers = {}) {
      const log = logs.get(topic) ?? [];
      log.push(recordBatch(log.length, value, headers));
      logs.set(topic, log);
    },
  };
  const loopback = await listening(createServer((socket) => serve(socket, (request) => answer(request))));
  const all = Object.assign(server, loopback);

  function answer({ key, version, body }: Request): Answer {
    switch (key) {
      case 18: {
        const list = Object.values(versions).map(([api = 0, newest = 0]) =>
          Buffer.concat([int16(api), int16(0), int16(newest)]),
        );
        return Buffer.concat([int16(0), int32(list.length), ...list, version > 0 ? int32(0) : Buffer.alloc(0)]);
      }
      case 17:
        return Buffer.concat([int16(0), int32(2), text('PLAIN'), text('SCRAM-SHA-256')]);
      case 36:
        return logIn(body.bytes().toString());
      case 3:
        return metadata(body);
      case 10: {
        const { host, port } = all.advertised ?? { host: '127.0.0.1', port: all.port };
        return Buffer.concat([int16(0), int32(1), text(host), int32(port)]);
      }
      case 11:
        return joinGroup(body);
      case 14: {
        body.text();
        body.skip(4);
        body.text();
        const [assignment] = Array.from({ length: body.int32() }, () => [body.text(), body.bytes()] as const);
        return Buffer.concat([int16(0), sized(assignment?.[1] ?? Buffer.alloc(0))]);
      }
      case 12:
      case 13:
        return int16(0);
      case 2:
        return listOffsets(body);
      case 8:
        return offsetCommit(body);
      case 9:
        return offsetFetch(body);
      case 1:
        return fetch(body);
      default:
        return produce(body);
    }
  }

  function logIn(message: string): Buffer {
    if (all.scram) return Buffer.concat([int16(0), text(''), sized(Buffer.from(all.scram(message)))]);
    const [, user, received] = message.split('\0');
    const accepted = user === 'ann' && received === password;
    return Buffer.concat([int16(accepted ? 0 : 58), text(accepted ? '' : 'who is that'), int32(0)]);
  }

  function metadata(body: Reader): Buffer {
    const topics = Array.from({ length: Math.max(body.int32(), 0) }, () => body.text());
    const { host, port } = all.advertised ?? { host: '127.0.0.1', port: all.port };
    const broker = Buffer.concat([int32(1), text(host), int32(port), int16(-1)]);
    const partition = Buffer.concat([int16(0), int32(0), int32(1), int32(1), int32(1), int32(1), int32(1)]);
    const topicData = topics.map((name) =>
      name === 'missing'
        ? Buffer.concat([int16(3), text(name), Buffer.of(0), int32(0)])
        : Buffer.concat([int16(0), text(name), Buffer.of(0), int32(1), partition]),
    );
    return Buffer.concat([int32(1), broker, int32(1), int32(topicData.length), ...topicData]);
  }

  /** Each member is alone in its group and leads it. */
  function joinGroup(body: Reader): Buffer {
    body.text();
    body.skip(4);
    body.text();
    body.text();
    const [protocol] = Array.from({ length: body.int32() }, () => [body.text(), body.bytes()] as const);
    const [name, metadata] = protocol ?? ['', Buffer.alloc(0)];
    const member = Buffer.concat([text('me'), sized(metadata)]);
    return Buffer.concat([int16(0), int32(1), text(name), text('me'), text('me'), int32(1), member]);
  }

  function listOffsets(body: Reader): Buffer {
    body.skip(4);
    return answerPartitions(body, (topic, partition) => {
      const oldest = body.skip(8).readBigInt64BE() === -2n;
      const offset = oldest ? 0 : (logs.get(topic)?.length ?? 0);
      return Buffer.concat([int32(partition), int16(0), int64(-1), int64(offset)]);
    });
  }

  function offsetCommit(body: Reader): Buffer {
    const group = body.text();
    body.skip(4);
    body.text();
    body.skip(8);
    return answerPartitions(body, (topic, partition) => {
      all.committed.set(`${group} ${topic}`, Number(body.skip(8).readBigInt64BE()));
      body.text();
      return Buffer.concat([int32(partition), int16(0)]);
    });
  }

  function offsetFetch(body: Reader): Buffer {
    const group = body.text();
    return answerPartitions(body, (topic, partition) =>
      Buffer.concat([int32(partition), int64(all.committed.get(`${group} ${topic}`) ?? -1), text(''), int16(0)]),
    );
  }

  async function fetch(body: Reader): Promise<Buffer> {
    body.skip(17);
    let total = 0;
    const answered = answerPartitions(body, (topic, partition) => {
      const offset = Number(body.skip(8).readBigInt64BE());
      body.skip(4);
      const log = logs.get(topic) ?? [];
      const batches = log.slice(offset);
      total += batches.length;
      const head = Buffer.concat([int32(partition), int16(0), int64(log.length), int64(log.length), int32(0)]);
      return Buffer.concat([head, sized(Buffer.concat(batches))]);
    });
    if (total === 0) await delay(fetchWaitMs);
    return Buffer.concat([int32(0), answered]);
  }

  /** Requests and responses contain lists of topics, with lists of their partitions. */
  function answerPartitions(body: Reader, answerOne: (topic: string, partition: number) => Buffer): Buffer {
    const topics = Array.from({ length: body.int32() }, () => {
      const topic = body.text();
      const partitions = Array.from({ length: body.int32() }, () => answerOne(topic, body.int32()));
      return Buffer.concat([text(topic), int32(partitions.length), ...partitions]);
    });
    return Buffer.concat([int32(topics.length), ...topics]);
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

type Answer = Buffer | undefined | Promise<Buffer>;

interface Request {
  key: number;
  version: number;
  body: Reader;
}

function serve(socket: Socket, answer: (request: Request) => Answer): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= rest.readInt32BE(0) + 4) {
      const body = new Reader(rest.subarray(4, rest.readInt32BE(0) + 4));
      rest = rest.subarray(rest.readInt32BE(0) + 4);
      const [key, version, correlation] = [body.int16(), body.int16(), body.int32()];
      body.text();
      void Promise.resolve(answer({ key, version, body })).then((result) => {
        if (result && socket.writable) socket.write(Buffer.concat([int32(result.length + 4), int32(correlation), result]));
      });
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

/** A batch of one record (format 2); its checksum is not verified. */
function recordBatch(offset: number, value: string, headers: Record<string, string>): Buffer {
  const pairs = Object.entries(headers).map(([name, content]) => Buffer.concat([varText(name), varText(content)]));
  const record = Buffer.concat([
    Buffer.of(0),
    varint(0),
    varint(0),
    varint(-1),
    varText(value),
    varint(pairs.length),
    ...pairs,
  ]);
  const head = [int16(0), int32(0), int64(1), int64(1), int64(-1), int16(-1), int32(-1), int32(1)];
  const rest = Buffer.concat([int32(0), Buffer.of(2), int32(0), ...head, varint(record.length), record]);
  return Buffer.concat([int64(offset), int32(rest.length), rest]);
}

function varText(content: string): Buffer {
  return Buffer.concat([varint(Buffer.byteLength(content)), Buffer.from(content)]);
}

/** Zigzag-encoded. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = ((value << 1) ^ (value >> 31)) >>> 0;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.of(...bytes, rest);
}

function sized(bytes: Buffer): Buffer {
  return Buffer.concat([int32(bytes.length), bytes]);
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

  /** Zigzag-encoded. */
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
