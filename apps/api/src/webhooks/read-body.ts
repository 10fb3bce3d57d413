import { parse as parseQuery } from 'node:querystring';
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
import express, { type Request, type Response } from 'express';
import { assertDepth, assertFiniteNumbers } from '../http/check-json.ts';
import type { BodyLimits } from '../http/read-json.ts';
import type { CallFiles } from './call-files.ts';
import { readPacked, unpack } from './packed-body.ts';
import { type FormFile, readForm } from './read-form.ts';

/** What a call has brought. */
export interface ReadBody {
  body: JsonValue;
  binary: Record<string, BinaryReference>;
}

export interface BodyReading {
  limits: BodyLimits;
  /** What becomes of files. */
  files: WebhookFiles;
  into: CallFiles;
  /** Looks at the bytes as they came, before anything reads them; they are held whole then. Throws to refuse them. */
  check?: (body: Uint8Array) => void;
}

type Kind = 'json' | 'fields' | 'text' | 'form' | 'file';

/** Reads the body of a call as its content type says. Files are stored while they come in. */
export async function readBody(request: Request, response: Response, reading: BodyReading): Promise<ReadBody> {
  const { check } = reading;
  if (!hasBody(request)) {
    check?.(new Uint8Array());
    return { body: {}, binary: {} };
  }
  const kind = kindOf(request);
  const isStreamed = (kind === 'form' || kind === 'file') && !check;
  if (isStreamed) refuseEncoded(request);
  const raw = isStreamed ? undefined : await readWhole(request, response, reading);
  const source = raw ? Readable.from([raw]) : request;
  if (kind === 'form') return takeForm(request, source, reading);
  if (kind === 'file') return takeFile(request, source, reading);
  const body = parsed(kind, raw ?? Buffer.alloc(0), request, reading);
  return reading.files.take === 'body' ? { ...(await takeFile(request, source, reading)), body } : { body, binary: {} };
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

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
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

/** Unpacked; a check is over what came. */
async function readWhole(request: Request, response: Response, { check, limits }: BodyReading): Promise<Buffer> {
  if (check && isEncoded(request)) {
    const packed = await readPacked(request, limits);
    check(packed);
    return unpack(packed, request.get('content-encoding') ?? '', limits);
  }
  const raw = await readRaw(request, response, limits);
  check?.(raw);
  return raw;
}

/** Refuses by the headers alone what they show to be too large; unpacks, and counts what comes out. */
async function readRaw(request: Request, response: Response, { limitBytes }: BodyLimits): Promise<Buffer> {
  const read = express.raw({ limit: limitBytes, type: () => true });
  await new Promise<void>((resolve, reject) => {
    read(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
  });
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

/** A body that is stored as it came may be anything: what cannot be read is left empty then. */
function parsed(kind: Exclude<Kind, 'form' | 'file'>, raw: Buffer, request: Request, reading: BodyReading): JsonValue {
  if (kind === 'text') return decoded(raw, request);
  if (kind === 'fields') return fieldsOf(raw);
  try {
    return jsonOf(raw, reading.limits);
  } catch (error) {
    if (reading.files.take === 'body') return {};
    throw error;
  }
}

function jsonOf(raw: Buffer, { maxDepth }: BodyLimits): JsonValue {
  const text = raw.toString('utf8');
  assertDepth(text, maxDepth);
  const body = toJson(text);
  assertFiniteNumbers(body);
  return body;
}

function toJson(text: string): JsonValue {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as JsonValue;
  } catch {
    throw new ValidationError('the body is not valid JSON');
  }
}

function fieldsOf(raw: Buffer): JsonObject {
  const entries = Object.entries(parseQuery(raw.toString('utf8'), '&', '=', { maxKeys: 1_000 }));
  return userKeyed(entries.map(([name, value]) => [name, (value ?? '') as JsonValue] as const));
}

function decoded(raw: Buffer, request: Request): string {
  const charset = /;\s*charset="?([\w-]{1,40})/i.exec(request.get('content-type') ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(raw);
  } catch {
    throw unsupported('the charset of the body is not known');
  }
}

/** By the fields of the form, or by a name that is the same for all; where several would have one name, each has its number. */
function namedFiles(files: readonly FormFile[], property: string | undefined): Record<string, BinaryReference> {
  const nameOf = ({ field }: FormFile) => property ?? (field.replace(/\[\]$/, '') || 'data');
  const counts = new Map<string, number>();
  for (const file of files) counts.set(nameOf(file), (counts.get(nameOf(file)) ?? 0) + 1);
  const seen = new Map<string, number>();
  return userKeyed(
    files.map((entry) => {
      const name = nameOf(entry);
      const index = seen.get(name) ?? 0;
      seen.set(name, index + 1);
      return [property !== undefined || (counts.get(name) ?? 0) > 1 ? `${name}${index}` : name, entry.file] as const;
    }),
  );
}

function unsupported(message: string): AppError {
  return new AppError({ code: 'UNSUPPORTED_MEDIA_TYPE', message });
}
