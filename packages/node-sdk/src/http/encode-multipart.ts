import { randomUUID } from 'node:crypto';
import { AppError, TimeSlice } from '@sluice/domain';
import type { FileLike } from 'form-data-encoder';
import type { HttpBodyStream } from './http.ts';

export interface FormFile {
  readonly name: string;
  /** MIME type; empty: unknown. */
  readonly type: string;
  /** In bytes; not finite if unknown. */
  readonly size: number;
  stream(): AsyncIterable<Uint8Array>;
}

/** A part of a form: a field or a file. */
export type MultipartPart = { name: string; value: string } | { name: string; file: FormFile };

/**
 * A `multipart/form-data` body, which streams its files each time it is sent. Names are escaped for
 * their headers; values are converted in time slices. Rejects with `HTTP_INVALID_REQUEST` for too
 * many parts, and for names that are too long.
 */
export async function encodeMultipart(parts: readonly MultipartPart[]): Promise<{ body: HttpBodyStream; contentType: string }> {
  const { FormDataEncoder } = await import('form-data-encoder');
  assertHeadersAreSmall(parts);
  const values = await convertedValues(parts);
  const entries = parts.map((part): [string, string | FileLike] => [part.name, 'file' in part ? asFileLike(part.file) : '']);
  const form = { append: unused, getAll: unused, entries: () => entries.values(), [Symbol.iterator]: () => entries.values() };
  const encoder = new FormDataEncoder({ ...form, [Symbol.toStringTag]: 'FormData' }, `----sluice${randomUUID()}`);
  const valueBytes = [...values.values()].flat().reduce((sum, piece) => sum + piece.length, 0);
  const byteLength = encoder.contentLength === undefined ? undefined : Number(encoder.contentLength) + valueBytes;
  return {
    body: { open: () => bytesOf(encoder.values(), values), ...(byteLength !== undefined && { byteLength }) },
    contentType: encoder.contentType,
  };
}

/** The headers of all parts are written synchronously. */
const maxParts = 10_000;
/** Maximum total length of all names and file types, in characters. */
const maxHeaderLength = 256 * 1024;

function assertHeadersAreSmall(parts: readonly MultipartPart[]): void {
  const length = parts.slice(0, maxParts).reduce((sum, part) => sum + part.name.length + fileTextOf(part).length, 0);
  if (length > maxHeaderLength) throw refused(`the names in its form are longer than ${maxHeaderLength} characters`);
  if (parts.length > maxParts) throw refused(`its form has more than ${maxParts} parts`);
}

function fileTextOf(part: MultipartPart): string {
  return 'file' in part ? part.file.name + part.file.type : '';
}

function refused(reason: string): AppError {
  return new AppError({ code: 'HTTP_INVALID_REQUEST', message: `the request cannot be sent: ${reason}` });
}

/** Converted values by part index: the encoder would convert all of them synchronously. */
type Values = ReadonlyMap<number, readonly Uint8Array[]>;

async function convertedValues(parts: readonly MultipartPart[]): Promise<Values> {
  const slice = new TimeSlice();
  const values = new Map<number, readonly Uint8Array[]>();
  for (const [index, part] of parts.entries()) {
    if ('value' in part) values.set(index, await withFormLineBreaks(part.value, slice));
  }
  return values;
}

/**
 * Replaces the encoder's `encode`, which reads chunks over 64 KiB from the wrong offset of a pooled
 * buffer. The encoder writes three chunks for a part: its header, its value, and a line break.
 */
async function* bytesOf(chunks: Iterable<Uint8Array | FileLike>, values: Values): AsyncGenerator<Uint8Array, void, undefined> {
  let count = 0;
  for (const part of chunks) {
    const value = count % 3 === 1 ? values.get((count - 1) / 3) : undefined;
    count += 1;
    if (value) yield* value;
    else if (part instanceof Uint8Array) yield part;
    else yield* part.stream() as AsyncIterable<Uint8Array>;
  }
}

/** Required by the interface; only a form builder would call it. */
function unused(): never {
  throw new TypeError('the parts of this form are complete');
}

/** The interface that the encoder expects. */
function asFileLike(file: FormFile): FileLike {
  const { name, type, size } = file;
  return {
    name,
    type: type.replace(/[\r\n]/g, ''),
    size,
    lastModified: 0,
    stream: () => file.stream(),
    [Symbol.toStringTag]: 'File',
  };
}

/** Number of characters converted at once, which takes a few milliseconds. */
const chunkLength = 64 * 1024;

/** UTF-8 text with `\r\n` for each line break, in chunks, converted in time slices. */
async function withFormLineBreaks(text: string, slice: TimeSlice): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + chunkLength + (isDivided(text, start + chunkLength) ? 1 : 0);
    chunks.push(Buffer.from(text.slice(start, end).replaceAll(/\r\n?|\n/g, '\r\n')));
    start = end;
    if (slice.isOver) await slice.next();
  }
  return chunks;
}

/** Whether an index is within a line break or a surrogate pair. */
function isDivided(text: string, at: number): boolean {
  return /^(?:\r\n|[\ud800-\udbff][\udc00-\udfff])$/.test(text.slice(at - 1, at + 1));
}
