import { createRequire } from 'node:module';
import type { Transform } from 'node:stream';
import { isBoundedBson } from './bson-size.ts';
import { FrameCheck } from './frame-check.ts';
import { checkScramIterations, checkScramLength } from './scram-limits.ts';

/** Size of a message's length field, which comes first, in bytes. */
const lengthBytes = 4;

/** Size of a message header, and the operation's offset in it, in bytes. */
const header = { bytes: 16, operationAt: 12 };

/** Largest server message that the protocol allows: 48,000,000 bytes plus a header. */
const maxMessageBytes = 48_000_000 + 16 * 1024;

/**
 * Server operations, and the offset of the only document in their messages. Compressed messages are
 * refused: they are not requested, and could expand to any size.
 */
const operations = { reply: 1, message: 2013 } as const;
const documentAt = { reply: 36, message: 21 } as const;

interface Splitter {
  prototype: Pick<Transform, '_transform'>;
}

interface Compression {
  decompressResponse(message: Buffer): Promise<unknown>;
}

/** Members of the library's SCRAM login that are changed here. */
interface Login {
  auth(this: Login, context: LoginContext): Promise<void>;
}

interface Reply {
  /** The server's message; `Binary` unless buffers are requested. */
  payload?: Uint8Array | { buffer: Uint8Array; position: number };
}

interface LoginContext {
  /** The reply to the greeting. */
  response?: { speculativeAuthenticate?: Reply };
  connection: { command(...input: unknown[]): Promise<Reply> };
}

let isPatched = false;

/**
 * Loads `mongodb` and makes its connections refuse messages and documents of invalid length, which
 * the library would read forever, compressed messages, and logins that would block the process's
 * threads.
 */
export async function loadMongo(): Promise<typeof import('mongodb')> {
  const library = await import('mongodb');
  if (!isPatched) {
    const load = createRequire(import.meta.url);
    checkLengths((load('mongodb/lib/cmap/connection') as { SizedMessageTransform: Splitter }).SizedMessageTransform);
    checkContent(load('mongodb/lib/cmap/wire_protocol/compression') as Compression);
    boundScram((load('mongodb/lib/cmap/auth/scram') as { ScramSHA256: { prototype: Login } }).ScramSHA256);
  }
  isPatched = true;
  return library;
}

function checkLengths({ prototype }: Splitter): void {
  const split = prototype._transform;
  const checks = new WeakMap<object, FrameCheck>();
  prototype._transform = function (chunk: Buffer, encoding, done) {
    const check = checks.get(this) ?? new FrameCheck(lengthBytes, messageBytes);
    checks.set(this, check);
    try {
      check.read(chunk);
    } catch (error) {
      return done(error as Error);
    }
    split.call(this as Transform, chunk, encoding, done);
  };
}

function messageBytes(head: Buffer): number {
  const length = head.readInt32LE(0);
  if (length < header.bytes || length > maxMessageBytes) throw wrongProtocol();
  return length;
}

function checkContent(compression: Compression): void {
  const { decompressResponse } = compression;
  compression.decompressResponse = async (message) => {
    if (!hasOneDocument(message)) throw wrongProtocol();
    return decompressResponse(message);
  };
}

/**
 * Maximum number of elements in a message or document, which the library parses all at once. Each
 * document in a batch counts as one element: it is requested as bytes.
 */
export const maxElements = 100_000;

const isNoDocumentOfBatch = ([first, second, third]: readonly string[]) =>
  first !== 'cursor' || third === undefined || (second !== 'firstBatch' && second !== 'nextBatch');

/**
 * Whether the message ends with one document of the declared length, as all server messages do, and
 * of bounded cost.
 */
function hasOneDocument(message: Buffer): boolean {
  const operation = message.readInt32LE(header.operationAt);
  const isMessage = operation === operations.message;
  if (!isMessage && operation !== operations.reply) return false;
  const at = isMessage ? documentAt.message : documentAt.reply;
  if (message.length < at + lengthBytes || message.readInt32LE(at) !== message.length - at) return false;
  const isOne = isMessage ? message[at - 1] === 0 : message.readInt32LE(at - lengthBytes) === 1;
  return isOne && isBoundedBson(message.subarray(at), { maxElements, enters: isNoDocumentOfBatch });
}

/** Checks each login reply before the library reads it. Both mechanisms share the method. */
function boundScram({ prototype }: { prototype: Login }): void {
  const shared = Object.getPrototypeOf(prototype) as Login;
  const { auth } = shared;
  shared.auth = async function (context) {
    const { connection, response } = context;
    if (response?.speculativeAuthenticate) checkScram(response.speculativeAuthenticate);
    const command = async (...input: unknown[]) => checkScram(await connection.command(...input));
    return auth.call(this, Object.create(context, { connection: { value: { command } } }) as LoginContext);
  };
}

function checkScram(reply: Reply): Reply {
  const { payload } = reply;
  const bytes = payload instanceof Uint8Array ? payload : payload?.buffer;
  if (!(bytes instanceof Uint8Array)) throw wrongProtocol();
  checkScramLength(bytes.length);
  for (const part of Buffer.from(bytes).toString().split(',')) {
    if (part.startsWith('i=')) checkScramIterations(Number.parseInt(part.slice(2), 10));
  }
  return reply;
}

function wrongProtocol(): Error {
  return new Error('the server does not speak the MongoDB protocol');
}
