import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import {
  AppError,
  type BinaryReference,
  type JsonObject,
  type JsonValue,
  userKeyed,
  ValidationError,
  type WebhookFiles,
} from '@sluice/domain';
import type { Request } from 'express';
import { chunksOf, decompressed, hasBody, isEncoded, maxDecompressed, readBytes } from '../../http/request/read-bytes.ts';
import { assertValidJson, type BodyLimits, parseBody } from '../../http/request/read-json.ts';
import { decodeText } from './decode-text.ts';
import { readFields } from './read-fields.ts';
import { type FormFile, readForm } from './read-form.ts';
import type { RequestFiles } from './request-files.ts';

/** The parsed body of a request, and its stored files. */
export interface ReadBody {
  body: JsonValue;
  binary: Record<string, BinaryReference>;
}

export interface BodyReading {
  limits: BodyLimits;
  /** Selects the files to store. */
  files: WebhookFiles;
  into: RequestFiles;
  /**
   * Checks the raw bytes before they are parsed; the body is buffered for it. Throws to refuse it.
   */
  check?: (body: Uint8Array) => void;
}

type Kind = 'json' | 'fields' | 'text' | 'form' | 'file';

/** Reads the body by its content type. Files are stored as they arrive. */
export async function readBody(request: Request, reading: BodyReading): Promise<ReadBody> {
  const { check } = reading;
  if (!hasBody(request)) {
    check?.(new Uint8Array());
    return { body: {}, binary: {} };
  }
  const kind = kindOf(request);
  const isStreamed = (kind === 'form' || kind === 'file') && !check;
  if (isStreamed) refuseEncoded(request);
  const raw = isStreamed ? undefined : await readBuffered(request, reading);
  const source = raw ? Readable.from([raw]) : streamOf(request);
  if (kind === 'form') return takeForm(request, source, reading);
  if (kind === 'file') {
    const content = await contentOf(request, source);
    return content ? takeFile(request, content, reading) : { body: {}, binary: {} };
  }
  const body = await parsed(kind, raw ?? Buffer.alloc(0), request, reading);
  return reading.files.take === 'body' ? { ...(await takeFile(request, source, reading)), body } : { body, binary: {} };
}

/** Maximum size of a short body, in bytes. */
const shortBytes = 64 * 1024;

/** Whether the body is buffered, so that it can be read twice. */
export function isShort(request: Request, { limitBytes }: BodyLimits): boolean {
  if (!hasBody(request)) return true;
  const { 'transfer-encoding': chunked, 'content-length': length } = request.headers;
  if (chunked !== undefined || Number(length) > Math.min(shortBytes, limitBytes) || isEncoded(request)) return false;
  const kind = kindOf(request);
  return kind !== 'form' && kind !== 'file';
}

async function takeForm(request: Request, source: Readable, { files, into, limits }: BodyReading): Promise<ReadBody> {
  const storage = files.take === 'none' ? undefined : into;
  const form = await readForm(source, request.get('content-type') ?? '', { files: storage, limitBytes: limits.limitBytes });
  return { body: form.fields, binary: namedFiles(form.files, files.property) };
}

/**
 * The bytes of a body; `undefined` for an empty one in chunks without a content type, which is
 * treated as absent.
 */
async function contentOf(request: Request, source: Readable): Promise<Readable | undefined> {
  if (request.get('content-type') !== undefined) return source;
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done || first.value.length === 0) return undefined;
  return Readable.from(
    (async function* () {
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => chunks };
    })(),
  );
}

/** Stores the whole body as one file. */
async function takeFile(request: Request, source: Readable, { files, into }: BodyReading): Promise<ReadBody> {
  if (files.take === 'none') throw unsupported('the webhook takes JSON, forms and text');
  const mimeType = request.get('content-type');
  const file = await into.take(source, { ...(mimeType !== undefined && { mimeType }) });
  return { body: {}, binary: userKeyed([[files.property ?? 'data', file]]) };
}

function kindOf(request: Request): Kind {
  if (request.is('json') || request.is('+json')) return 'json';
  if (request.is('urlencoded')) return 'fields';
  if (request.is('multipart/form-data')) return 'form';
  return request.is('text/*') || request.is('xml') || request.is('+xml') ? 'text' : 'file';
}

function refuseEncoded(request: Request): void {
  if (isEncoded(request)) throw unsupported('files may not be sent with a content encoding');
}

/** Buffered bodies, by request: a second read finds them here. */
const buffered = new WeakMap<Request, Buffer>();

/**
 * Memory for each byte of a body: text, values, and the stored input. A list of empty lists takes
 * the most.
 */
const memoryPerByte = 12;

/**
 * Decompressed bytes of the body, once there is memory for its values: a few kilobytes may expand
 * to hundreds of megabytes. `check` receives the compressed bytes.
 */
async function readBuffered(request: Request, { check, limits: { limitBytes }, into }: BodyReading): Promise<Buffer> {
  const bytes = buffered.get(request) ?? (await readBytes(request, limitBytes));
  buffered.set(request, bytes);
  check?.(bytes);
  await into.memory?.reserve(maxDecompressed(request, bytes, limitBytes) * memoryPerByte);
  const raw = await decompressed(request, bytes, limitBytes);
  into.memory?.reserveOnly(raw.length * memoryPerByte);
  return raw;
}

/**
 * The parsed body. `{}` for an unreadable body that is also stored as a file, since it may be
 * anything.
 */
async function parsed(
  kind: Exclude<Kind, 'form' | 'file'>,
  raw: Buffer,
  request: Request,
  reading: BodyReading,
): Promise<JsonValue> {
  try {
    if (kind === 'text') return await decodeText(raw, decoderOf(request, { fatal: false }));
    return kind === 'fields' ? await fieldsOf(raw, request) : await jsonOf(await toUtf8(raw, request), reading.limits);
  } catch (error) {
    if (reading.files.take === 'body') return {};
    throw error;
  }
}

async function jsonOf(raw: Buffer, { maxDepth }: BodyLimits): Promise<JsonValue> {
  // An empty body in chunks is a missing body; only its headers differ.
  if (raw.length === 0) return {};
  await assertValidJson(raw, { maxDepth, uniqueKeys: false });
  return parseBody(raw.toString('utf8'));
}

/** Names and values are bytes in the charset of the body, escaped or not. */
async function fieldsOf(raw: Buffer, request: Request): Promise<JsonObject> {
  const newDecoder = () => decoderOf(request, { fatal: true, ignoreBOM: true });
  const decoder = newDecoder();
  if (decoder.encoding.startsWith('utf-16')) throw unknownCharset();
  try {
    return await readFields(raw, newDecoder);
  } catch (error) {
    throw (error as { code?: unknown }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? invalidText(decoder) : error;
  }
}

/**
 * Converts text to UTF-8. Throws for bytes that are invalid in its charset, which would be lost.
 */
async function toUtf8(raw: Buffer, request: Request): Promise<Buffer> {
  if (/^utf-?8$/i.test(charsetOf(request)) && isUtf8(raw)) return raw;
  const decoder = decoderOf(request, { fatal: true });
  try {
    return Buffer.from(await decodeText(raw, decoder));
  } catch {
    throw invalidText(decoder);
  }
}

/** Decoder for the declared charset, or for UTF-8. */
function decoderOf(request: Request, options: { fatal: boolean; ignoreBOM?: boolean }): TextDecoder {
  try {
    return new TextDecoder(charsetOf(request), options);
  } catch {
    throw unknownCharset();
  }
}

/** `TextDecoder` treats ASCII as Windows-1252; here it is UTF-8, of which it is a subset. */
function charsetOf(request: Request): string {
  const charset = /;\s*charset="?([\w-]{1,40})/i.exec(request.get('content-type') ?? '')?.[1] ?? 'utf-8';
  return /^(?:us-)?ascii$/i.test(charset) ? 'utf-8' : charset;
}

function invalidText({ encoding }: TextDecoder): ValidationError {
  return new ValidationError(`the body is not valid ${encoding.toUpperCase()}`, '');
}

function unknownCharset(): AppError {
  return unsupported('the charset of the body is not known');
}

/**
 * Names files by their form fields, or all by `property`. Equal names get a number that no other
 * file has.
 */
function namedFiles(files: readonly FormFile[], property: string | undefined): Record<string, BinaryReference> {
  const nameOf = ({ field }: FormFile) => property ?? (field.replace(/\[\]$/, '') || 'data');
  const counts = new Map<string, number>();
  for (const file of files) counts.set(nameOf(file), (counts.get(nameOf(file)) ?? 0) + 1);
  const isAlone = (name: string) => property === undefined && counts.get(name) === 1;
  const usedNames = new Set([...counts.keys()].filter(isAlone));
  const next = new Map<string, number>();
  const numbered = (name: string): string => {
    const index = next.get(name) ?? 0;
    next.set(name, index + 1);
    const indexed = `${name}${index}`;
    if (usedNames.has(indexed)) return numbered(name);
    usedNames.add(indexed);
    return indexed;
  };
  return userKeyed(
    files.map((entry) => [isAlone(nameOf(entry)) ? nameOf(entry) : numbered(nameOf(entry)), entry.file] as const),
  );
}

function unsupported(message: string): AppError {
  return new AppError({ code: 'UNSUPPORTED_MEDIA_TYPE', message });
}

/** The body as a stream. A reader that stops early leaves the request open for the response. */
export function streamOf(source: IncomingMessage): Readable {
  return Readable.from(chunksOf(source));
}
