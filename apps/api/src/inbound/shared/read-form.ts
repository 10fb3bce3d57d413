import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MIMEType } from 'node:util';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import {
  type BinaryReference,
  type JsonObject,
  type JsonValue,
  PayloadTooLargeError,
  TimeSlice,
  untilAborted,
  userKeyed,
  ValidationError,
} from '@sluice/domain';
import { sliceBytes } from './decode-text.ts';
import { PartCounter } from './part-counter.ts';
import type { RequestFiles } from './request-files.ts';

/** A file and its form field. */
export interface FormFile {
  field: string;
  file: BinaryReference;
}

interface ReadForm {
  fields: JsonObject;
  files: FormFile[];
  /** Fields of named files that were not stored. */
  ignored: string[];
}

/** Maximum number of parts in a form. */
export const maxParts = 1_000;
/** Maximum length of a field or file name, in characters. */
const maxNameLength = 1_000;
/** Allowance in bytes for part headers, and for file content in flight to the store. */
const slackBytes = 1024 * 1024;

/**
 * Reads a body of `multipart/form-data`. Files are stored as they arrive, or ignored without
 * `files`. A repeated field becomes a list. Throws `PayloadTooLargeError`, `ValidationError`, and
 * errors of the source and of `files` unchanged; leaves the rest unread.
 */
export async function readForm(
  source: Readable,
  contentType: string,
  { files, limitBytes }: { files: RequestFiles | undefined; limitBytes: number },
): Promise<ReadForm> {
  const fields = new FormFields(limitBytes);
  const storing: Promise<FormFile>[] = [];
  const ignored: string[] = [];
  const opened: Readable[] = [];
  const failed = new AbortController();
  const fail = (error: unknown) => failed.abort(error);
  const failOnError = <A extends unknown[]>(handle: (...event: A) => void) => {
    return (...event: A) => {
      try {
        handle(...event);
      } catch (error) {
        fail(error);
      }
    };
  };
  const boundary = boundaryOf(contentType);
  const parser = createParser(boundary, limitBytes);
  const parts = new PartCounter(boundary);
  let acceptedParts = 0;
  // The first failure counts. Errors of the source, the handlers and the storage are reported where
  // they occur, so an error that appears first at the parser or the pipeline is the parser's.
  parser.on('error', (error) => fail(toRefusal(error)));
  source.once('error', fail);
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => fail(new PayloadTooLargeError('the form has too many parts')));
  const onField = (name: string | undefined, value: string, _: boolean, isCut: boolean) => {
    acceptedParts += 1;
    if (name === undefined) return fail(namelessError());
    if (name.length > maxNameLength || isCut || !fields.add(name, value))
      fail(new PayloadTooLargeError('the fields of the form are too large'));
  };
  const onFile = (field: string | undefined, stream: Readable, fileName: string | undefined, _: string, mimeType: string) => {
    opened.push(stream);
    // The parser only emits the error, perhaps before the first read; a destroyed stream also
    // fails later reads.
    stream.on('error', (error) => stream.destroy(error));
    acceptedParts += 1;
    if (field === undefined) fail(namelessError());
    if (Math.max(field?.length ?? 0, fileName?.length ?? 0) > maxNameLength)
      fail(new PayloadTooLargeError('the name of a file is too long'));
    if (field !== undefined && !files && fileName) ignored.push(field);
    if (field === undefined || !files) return void stream.resume();
    const named = fileName === undefined || fileName === '' ? {} : { fileName };
    const stored = files.take(stream, { ...named, mimeType }).then((file) => ({ field, file }));
    stored.catch(fail);
    storing.push(stored);
  };
  parser.on('field', failOnError(onField));
  parser.on('file', failOnError(onFile));
  try {
    const metered = async function* (chunks: AsyncIterable<Uint8Array>) {
      let size = 0;
      try {
        for await (const chunk of chunks) {
          size += chunk.byteLength;
          if (size - (files?.bytes ?? 0) > limitBytes + slackBytes) throw new PayloadTooLargeError('the form is too large');
          parts.take(chunk);
          yield chunk;
          // One chunk may hold hundreds of small files. Files that wait for a slot are complete, so
          // no file waits for the next chunk.
          if (files) await untilAborted(files.allStarted(), failed.signal);
        }
      } catch (error) {
        fail(error);
      }
    };
    await pipeline(source, inPieces, metered, parser, { signal: failed.signal }).catch((error) => fail(toRefusal(error)));
    failed.signal.throwIfAborted();
    // The parser silently skips parts with unreadable headers.
    if (acceptedParts !== parts.count) throw new ValidationError('the headers of a part of the form cannot be read', '');
    return { fields: fields.values, files: await Promise.all(storing), ignored };
  } catch (error) {
    for (const stream of opened) stream.destroy(unreadableError());
    await Promise.allSettled(storing);
    throw error;
  }
}

/**
 * Divides large chunks: a buffered body is a single one, and the parser takes a whole chunk at
 * once.
 */
async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const slice = new TimeSlice();
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.byteLength; start += sliceBytes) {
      yield chunk.subarray(start, start + sliceBytes);
      if (slice.isOver) await slice.next();
    }
  }
}

/** Throws `ValidationError` for a missing boundary, or one that a header cannot hold unescaped. */
function boundaryOf(contentType: string): string {
  const boundary = mimeTypeOf(contentType)?.params.get('boundary') ?? '';
  if (/^[\x20-\x7e]{1,200}$/.test(boundary) && !/["\\]/.test(boundary)) return boundary;
  throw new ValidationError('the form has no boundary', '');
}

function mimeTypeOf(contentType: string): MIMEType | undefined {
  try {
    return new MIMEType(contentType);
  } catch {
    return undefined;
  }
}

function createParser(boundary: string, limitBytes: number): BusboyInstance {
  const limits = { fieldSize: limitBytes, fields: maxParts, files: maxParts, parts: maxParts };
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` } as BusboyHeaders;
  return new Busboy({ headers, limits, preservePath: false });
}

/**
 * Converts an error of the parser, which has no `code`. An error with a `code` comes from a stream;
 * the form itself may be valid.
 */
function toRefusal(error: unknown): unknown {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? error : unreadableError();
}

function unreadableError(): ValidationError {
  return new ValidationError('the form cannot be read', '');
}

function namelessError(): ValidationError {
  return new ValidationError('a part of the form has no name', '');
}

class FormFields {
  readonly values: JsonObject = userKeyed();
  #remainingBytes: number;

  constructor(limitBytes: number) {
    this.#remainingBytes = limitBytes;
  }

  /** Returns false once all fields together are too large. */
  add(name: string, value: string): boolean {
    this.#remainingBytes -= name.length + Buffer.byteLength(value);
    const before: JsonValue | undefined = Object.hasOwn(this.values, name) ? this.values[name] : undefined;
    this.values[name] = before === undefined ? value : [before, value].flat();
    return this.#remainingBytes >= 0;
  }
}
