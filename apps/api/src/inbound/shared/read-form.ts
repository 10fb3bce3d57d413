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

interface FormOptions {
  /** Stores files as they arrive; absent: files are ignored. */
  files: RequestFiles | undefined;
  limitBytes: number;
}

/**
 * Reads a body of `multipart/form-data`. Files are stored as they arrive, or ignored without
 * `files`. A repeated field becomes a list. Throws `PayloadTooLargeError`, `ValidationError`, and
 * errors of the source and of `files` unchanged; leaves the rest unread.
 */
export async function readForm(source: Readable, contentType: string, options: FormOptions): Promise<ReadForm> {
  return new FormReader(boundaryOf(contentType), options).read(source);
}

/**
 * Reads one form. The first failure counts. Errors of the source, the handlers and the storage are
 * reported where they occur, so an error that appears first at the parser or the pipeline is the
 * parser's.
 */
class FormReader {
  readonly #boundary: string;
  readonly #options: FormOptions;
  readonly #parts: PartCounter;
  readonly #fields: FormFields;
  readonly #storing: Promise<FormFile>[] = [];
  readonly #ignored: string[] = [];
  readonly #opened: Readable[] = [];
  readonly #failed = new AbortController();
  #acceptedParts = 0;

  constructor(boundary: string, options: FormOptions) {
    this.#boundary = boundary;
    this.#options = options;
    this.#parts = new PartCounter(boundary);
    this.#fields = new FormFields(options.limitBytes);
  }

  async read(source: Readable): Promise<ReadForm> {
    const { signal } = this.#failed;
    source.once('error', this.#fail);
    const metered = (chunks: AsyncIterable<Uint8Array>) => this.#metered(chunks);
    try {
      await pipeline(source, inPieces, metered, this.#parser(), { signal }).catch(this.#failParser);
      signal.throwIfAborted();
      // The parser silently skips parts with unreadable headers.
      if (this.#acceptedParts !== this.#parts.count)
        throw new ValidationError('the headers of a part of the form cannot be read', '');
      return { fields: this.#fields.values, files: await Promise.all(this.#storing), ignored: this.#ignored };
    } catch (error) {
      for (const stream of this.#opened) stream.destroy(unreadableError());
      await Promise.allSettled(this.#storing);
      throw error;
    }
  }

  readonly #fail = (error: unknown): void => this.#failed.abort(error);

  readonly #failParser = (error: unknown): void => this.#fail(toRefusal(error));

  #parser(): BusboyInstance {
    const limits = { fieldSize: this.#options.limitBytes, fields: maxParts, files: maxParts, parts: maxParts };
    const headers = { 'content-type': `multipart/form-data; boundary="${this.#boundary}"` } as BusboyHeaders;
    const parser = new Busboy({ headers, limits, preservePath: false });
    parser.on('error', this.#failParser);
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
      parser.on(limit, () => this.#fail(new PayloadTooLargeError('the form has too many parts')));
    const handle = (work: () => void) => {
      this.#acceptedParts += 1;
      try {
        work();
      } catch (error) {
        this.#fail(error);
      }
    };
    parser.on('field', (name, value, _, isCut) => handle(() => this.#takeField(name, value, isCut)));
    parser.on('file', (field, stream, fileName, _, mimeType) =>
      handle(() => this.#takeFile(field, stream, fileName, mimeType)),
    );
    return parser;
  }

  #takeField(name: string | undefined, value: string, isCut: boolean): void {
    if (name === undefined) throw namelessError();
    if (name.length > maxNameLength || isCut || !this.#fields.add(name, value))
      throw new PayloadTooLargeError('the fields of the form are too large');
  }

  #takeFile(field: string | undefined, stream: Readable, fileName: string | undefined, mimeType: string): void {
    const { files } = this.#options;
    this.#opened.push(stream);
    // The parser only emits the error, perhaps before the first read; a destroyed stream also fails
    // later reads.
    stream.on('error', (error) => stream.destroy(error));
    if (field === undefined) throw namelessError();
    if (Math.max(field.length, fileName?.length ?? 0) > maxNameLength)
      throw new PayloadTooLargeError('the name of a file is too long');
    if (!files) {
      if (fileName) this.#ignored.push(field);
      stream.resume();
      return;
    }
    const named = fileName === undefined || fileName === '' ? {} : { fileName };
    const stored = files.take(stream, { ...named, mimeType }).then((file) => ({ field, file }));
    stored.catch(this.#fail);
    this.#storing.push(stored);
  }

  async *#metered(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    const { files, limitBytes } = this.#options;
    let size = 0;
    try {
      for await (const chunk of chunks) {
        size += chunk.byteLength;
        if (size - (files?.bytes ?? 0) > limitBytes + slackBytes) throw new PayloadTooLargeError('the form is too large');
        this.#parts.take(chunk);
        yield chunk;
        // One chunk may hold hundreds of small files. Files that wait for a slot are complete, so
        // no file waits for the next chunk.
        if (files) await untilAborted(files.allStarted(), this.#failed.signal);
      }
    } catch (error) {
      this.#fail(error);
    }
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
