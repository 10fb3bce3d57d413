import { createRequire } from 'node:module';
import { checkScramIterations, checkScramLength } from './scram-limits.ts';

/** Members of the library's request queue that are changed here. */
interface RequestQueue {
  pending: unknown[];
  scheduleCheckPendingRequests(): void;
}

/** Members of the library's response reader that are changed here. */
type Decoder = Record<(typeof counted)[number] | (typeof listed)[number], (...input: never[]) => unknown> & {
  buffer: Buffer;
  offset: number;
};

/** The library's SCRAM key derivation. */
interface Scram {
  hi(password: string, salt: Buffer, iterations: number, digest: object): Promise<Buffer>;
}

/** The library's parser for both of the broker's SCRAM messages. */
interface ScramResponse {
  parse(message: Buffer): Promise<object>;
}

/** Each record, message, and string in a response is read with at least one of these methods. */
const counted = ['slice', 'readBytes', 'readString', 'readVarIntBytes', 'readVarIntString'] as const;

/** Each list in a response is read with one of these methods. */
const listed = ['readArray', 'readArrayAsync'] as const;

/** Maximum number of response parts that are read in one turn of the event loop: about 100 ms. */
const maxParts = 100_000;

let isPatched = false;

/**
 * Loads `kafkajs` and makes it refuse responses with too many parts, which it would read all at
 * once, and logins that would block the process's threads. Also stops its checks of an empty queue:
 * each check sets a timer for the next check with a negative delay, about which Node warns.
 */
export async function loadKafka(): Promise<typeof import('kafkajs')> {
  // A CommonJS module whose export names Node cannot detect.
  const library = (await import('kafkajs')).default;
  if (!isPatched) {
    const load = createRequire(import.meta.url);
    checkOnlyPending(load('kafkajs/src/network/requestQueue') as { prototype: RequestQueue });
    countParts(load('kafkajs/src/protocol/decoder') as { prototype: Decoder });
    boundScram(
      (load('kafkajs/src/broker/saslAuthenticator/scram') as { SCRAM: Scram }).SCRAM,
      load('kafkajs/src/protocol/sasl/scram/firstMessage/response') as ScramResponse,
    );
  }
  isPatched = true;
  return library;
}

function checkOnlyPending({ prototype }: { prototype: RequestQueue }): void {
  const { scheduleCheckPendingRequests } = prototype;
  prototype.scheduleCheckPendingRequests = function () {
    if (this.pending.length > 0) scheduleCheckPendingRequests.call(this);
  };
}

function countParts({ prototype }: { prototype: Decoder }): void {
  let parts = 0;
  const count = (added: number) => {
    if (parts === 0) setImmediate(() => (parts = 0));
    parts += added;
    if (parts > maxParts) throw new Error('a response of the broker has too many parts; reduce the bytes of a fetch');
  };
  for (const name of counted) {
    const read = prototype[name];
    prototype[name] = function (...input) {
      count(1);
      return read.apply(this, input);
    };
  }
  for (const name of listed) {
    const read = prototype[name];
    prototype[name] = function (...input) {
      const length = this.offset + 4 <= this.buffer.length ? this.buffer.readInt32BE(this.offset) : 0;
      count(Math.max(1, length));
      return read.apply(this, input);
    };
  }
}

function boundScram(scram: Scram, response: ScramResponse): void {
  const { hi } = scram;
  const { parse } = response;
  scram.hi = async (password, salt, iterations, digest) => {
    checkScramIterations(iterations);
    return hi(password, salt, iterations, digest);
  };
  response.parse = async (message) => {
    checkScramLength(message.length);
    return parse(message);
  };
}
