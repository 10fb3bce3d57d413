import type { HostQuery } from '../host/host-services.ts';
import { bufferClass, toBuffer } from './buffer.ts';
import { askHost } from './host.ts';

type Encoding = Parameters<typeof toBuffer>[1];
type Bytes = ReturnType<typeof toBuffer>;

/**
 * `createHash` and `createHmac`: the whole input is sent to the host when the digest is requested.
 */
class Hash {
  readonly #algorithm: string;
  readonly #key: string | undefined;
  #chunks: Bytes[] | undefined = [];

  constructor(algorithm: unknown, key?: Bytes) {
    this.#algorithm = nameOf(algorithm);
    this.#key = key?.toString('base64');
    this.#digestOf('');
  }

  update(data: unknown, encoding?: Encoding): this {
    if (!this.#chunks) throw new Error('the digest was already computed');
    this.#chunks.push(bufferClass().from(toBuffer(data, encoding)));
    return this;
  }

  digest(encoding?: Encoding): string | Bytes {
    if (!this.#chunks) throw new Error('the digest was already computed');
    const Buffer = bufferClass();
    const digest = Buffer.from(this.#digestOf(Buffer.concat(this.#chunks).toString('base64')), 'base64');
    this.#chunks = undefined;
    return encoding === undefined ? digest : digest.toString(encoding);
  }

  #digestOf(data: string): string {
    const query = { algorithm: this.#algorithm, data };
    return resultOf(this.#key === undefined ? { hash: query } : { hmac: { ...query, key: this.#key } }, this.#algorithm);
  }
}

function resultOf(query: HostQuery, what: string): string {
  const reply = askHost<string>(query);
  if (reply === null) throw new Error(`crypto: ${what} is not supported, or there is too much data`);
  return reply;
}

/** Normalizes names: `SHA-256` and `sha256` are the same. */
function nameOf(algorithm: unknown): string {
  const name = String(algorithm).toLowerCase();
  return name
    .replace(/^(sha)-(?=\d{1,3}$)/, '$1')
    .replace(/^rsa-|^ripemd-(?=160)/, (prefix) => (prefix === 'rsa-' ? '' : 'ripemd'));
}

function randomBytes(size: number): Bytes {
  return bufferClass().from(resultOf({ random: { bytes: size } }, `${size} random bytes`), 'base64');
}

function getRandomValues<T>(view: T): T {
  if (!ArrayBuffer.isView(view)) throw new TypeError('getRandomValues() takes an array of integers');
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(randomBytes(view.byteLength));
  return view;
}

/** Version 4. */
function randomUUID(): string {
  const bytes = randomBytes(16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Uniform in [min, max). */
function randomInt(first: number, second?: number): number {
  const [min, max] = second === undefined ? [0, first] : [first, second];
  const range = max - min;
  if (!Number.isSafeInteger(min) || !(range > 0 && range <= 2 ** 48)) throw new RangeError('randomInt() takes min < max');
  const limit = 2 ** 48 - (2 ** 48 % range);
  for (;;) {
    const value = randomBytes(6).readUIntBE(0, 6);
    if (value < limit) return min + (value % range);
  }
}

/** Not constant-time, because code outside cannot time the guest. */
function timingSafeEqual(a: unknown, b: unknown): boolean {
  return toBuffer(a).equals(toBuffer(b));
}

async function digest(algorithm: unknown, data: unknown): Promise<ArrayBuffer> {
  const name = typeof algorithm === 'object' && algorithm !== null && 'name' in algorithm ? algorithm.name : algorithm;
  const bytes = new Hash(name).update(data).digest() as Bytes;
  return new Uint8Array(bytes).buffer;
}

/** The global `crypto`: hashes and random numbers, as in Node's module, and `subtle.digest`. */
export const crypto = {
  createHash: (algorithm: unknown) => new Hash(algorithm),
  createHmac: (algorithm: unknown, key: unknown) => new Hash(algorithm, toBuffer(key)),
  getRandomValues,
  randomBytes,
  randomInt,
  randomUUID,
  subtle: { digest },
  timingSafeEqual,
};
