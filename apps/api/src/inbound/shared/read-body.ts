import { isUtf8 } from 'node:buffer';
import { parse as parseQuery } from 'node:querystring';
import { Readable } from 'node:stream';
import {
  AppError,
  type BinaryReference,
  type JsonObject,
  type JsonValue,
  PayloadTooLargeError,
  userKeyed,
  ValidationError,
  type WebhookFiles,
} from '@sluice/domain';
import type { Request } from 'express';
import { assertSoundJson, parseBody } from '../../http/check-json.ts';
import { type BodyLimits, hasBody } from '../../http/read-json.ts';
import { readBytes, streamOf, unpack } from './packed-body.ts';
import { type FormFile, maxParts, readForm } from './read-form.ts';
import type { RequestFiles } from './request-files.ts';

/** What a call has brought. */
export interface ReadBody {
  body: JsonValue;
  binary: Record<string, BinaryReference>;
}

interface BodyReading {
  limits: BodyLimits;
  /** What becomes of files. */
  files: WebhookFiles;
  into: RequestFiles;
  /** Looks at the bytes as they came, before anything reads them; they are held whole then. Throws to refuse them. */
  check?: (body: Uint8Array) => void;
}

type Kind = 'json' | 'fields' | 'text' | 'form' | 'file';

/** Reads the body of a call as its content type says. Files are stored while they come in. */
export async function readBody(request: Request, reading: BodyReading): Promise<ReadBody> {
  const { check } = reading;
  if (!hasBody(request)) {
    check?.(new Uint8Array());
    return { body: {}, binary: {} };
  }
  const kind = kindOf(request);
  const isStreamed = (kind === 'form' || kind === 'file') && !check;
  if (isStreamed) refuseEncoded(request);
  const raw = isStreamed ? undefined : await readWhole(request, reading);
  const source = raw ? Readable.from([raw]) : streamOf(request);
  if (kind === 'form') return takeForm(request, source, reading);
  if (kind === 'file') return takeFile(request, source, reading);
  const body = await parsed(kind, raw ?? Buffer.alloc(0), request, reading);
  return reading.files.take === 'body' ? { ...(await takeFile(request, source, reading)), body } : { body, binary: {} };
}

/** Bytes of a body that is short. */
const shortBytes = 64 * 1024;

/** Whether the body is read whole in one go, and can be read again. */
export function isShort(request: Request, { limitBytes }: BodyLimits): boolean {
  if (!hasBody(request)) return true;
  const { 'transfer-encoding': chunked, 'content-length': length } = request.headers;
  if (chunked !== undefined || Number(length) > Math.min(shortBytes, limitBytes) || isEncoded(request)) return false;
  const kind = kindOf(request);
  return kind !== 'form' && kind !== 'file';
}

async function takeForm(request: Request, source: Readable, { files, into, limits }: BodyReading): Promise<ReadBody> {
  const taken = files.take === 'none' ? undefined : into;
  const form = await readForm(source, request.get('content-type') ?? '', { files: taken, limitBytes: limits.limitBytes });
  return { body: form.fields, binary: namedFiles(form.files, files.property) };
}

/** The whole body as one file. */
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

function isEncoded(request: Request): boolean {
  return (request.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity';
}

function refuseEncoded(request: Request): void {
  if (isEncoded(request)) throw unsupported('files may not be sent with a content encoding');
}

/** What came of bodies that were read in one go: they can be read again. */
const wholes = new WeakMap<Request, Buffer>();

/** Unpacked; a check is over what came. */
async function readWhole(request: Request, { check, limits }: BodyReading): Promise<Buffer> {
  const bytes = wholes.get(request) ?? (await readBytes(request, limits));
  wholes.set(request, bytes);
  check?.(bytes);
  return isEncoded(request) ? unpack(bytes, request.get('content-encoding') ?? '', limits) : bytes;
}

/** A body that is stored as it came may be anything: what cannot be read is left empty then. */
async function parsed(
  kind: Exclude<Kind, 'form' | 'file'>,
  raw: Buffer,
  request: Request,
  reading: BodyReading,
): Promise<JsonValue> {
  try {
    if (kind === 'text') return decoderOf(request, { fatal: false }).decode(raw);
    return kind === 'fields' ? fieldsOf(raw, request) : await jsonOf(toUtf8(raw, request), reading.limits);
  } catch (error) {
    if (reading.files.take === 'body') return {};
    throw error;
  }
}

async function jsonOf(raw: Buffer, { maxDepth }: BodyLimits): Promise<JsonValue> {
  await assertSoundJson(raw, { maxDepth, uniqueKeys: false });
  return parseBody(raw.toString('utf8'));
}

/** The bytes of names and values, escaped or not, are in the charset of the body. */
function fieldsOf(raw: Buffer, request: Request): JsonObject {
  const decoder = decoderOf(request, { fatal: true, ignoreBOM: true });
  if (decoder.encoding.startsWith('utf-16')) throw unknownCharset();
  const text = raw.toString('latin1'); // a character for each byte
  let isSound = true;
  const decode = (part: string) => {
    try {
      return decoder.decode(Buffer.from(unescaped(part), 'latin1'));
    } catch {
      isSound = false; // what is thrown here, the parser swallows
      return '';
    }
  };
  if (text.split('&', maxParts + 1).length > maxParts) throw new PayloadTooLargeError('the form has too many fields');
  const entries = Object.entries(parseQuery(text, '&', '=', { maxKeys: 0, decodeURIComponent: decode }));
  if (!isSound) throw unsoundText(decoder);
  return userKeyed(entries.map(([name, value]) => [name, (value ?? '') as JsonValue] as const));
}

/** A character for each byte. */
function unescaped(part: string): string {
  return part.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Text that is parsed, in UTF-8 whatever charset it came in. Throws for bytes that are none of that charset: they would be lost. */
function toUtf8(raw: Buffer, request: Request): Buffer {
  if (/^utf-?8$/i.test(charsetOf(request)) && isUtf8(raw)) return raw;
  const decoder = decoderOf(request, { fatal: true });
  try {
    return Buffer.from(decoder.decode(raw));
  } catch {
    throw unsoundText(decoder);
  }
}

/** Of the charset that the body says it has, or of UTF-8. */
function decoderOf(request: Request, options: { fatal: boolean; ignoreBOM?: boolean }): TextDecoder {
  try {
    return new TextDecoder(charsetOf(request), options);
  } catch {
    throw unknownCharset();
  }
}

/** ASCII is a part of UTF-8; browsers, and `TextDecoder`, take it for Windows-1252. */
function charsetOf(request: Request): string {
  const charset = /;\s*charset="?([\w-]{1,40})/i.exec(request.get('content-type') ?? '')?.[1] ?? 'utf-8';
  return /^(?:us-)?ascii$/i.test(charset) ? 'utf-8' : charset;
}

function unsoundText({ encoding }: TextDecoder): ValidationError {
  return new ValidationError(`the body is not valid ${encoding.toUpperCase()}`, '');
}

function unknownCharset(): AppError {
  return unsupported('the charset of the body is not known');
}

/** By the fields of the form, or by a name that is the same for all; where several would have one name, each has a number that makes it nobody else's. */
function namedFiles(files: readonly FormFile[], property: string | undefined): Record<string, BinaryReference> {
  const nameOf = ({ field }: FormFile) => property ?? (field.replace(/\[\]$/, '') || 'data');
  const counts = new Map<string, number>();
  for (const file of files) counts.set(nameOf(file), (counts.get(nameOf(file)) ?? 0) + 1);
  const isAlone = (name: string) => property === undefined && counts.get(name) === 1;
  const taken = new Set([...counts.keys()].filter(isAlone));
  const next = new Map<string, number>();
  const numbered = (name: string): string => {
    const index = next.get(name) ?? 0;
    next.set(name, index + 1);
    const own = `${name}${index}`;
    if (taken.has(own)) return numbered(name);
    taken.add(own);
    return own;
  };
  return userKeyed(
    files.map((entry) => [isAlone(nameOf(entry)) ? nameOf(entry) : numbered(nameOf(entry)), entry.file] as const),
  );
}

function unsupported(message: string): AppError {
  return new AppError({ code: 'UNSUPPORTED_MEDIA_TYPE', message });
}
