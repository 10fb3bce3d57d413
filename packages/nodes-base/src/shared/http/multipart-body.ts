import { randomUUID } from 'node:crypto';
import { AppError, type BinaryReference, type ExecuteContext, type HttpBodySource } from '@sluice/node-sdk';
import type { FileLike } from 'form-data-encoder';
import { withFormLineBreaks } from './line-breaks.ts';

/** A part of a form: a field, or a file of the item. */
export type FormPart = { name: string; value: string } | { name: string; file: BinaryReference };

/**
 * A `multipart/form-data` body that streams files from the store each time it is sent. Names are
 * escaped for their headers. Throws `HTTP_INVALID_REQUEST` for a name that is too long.
 */
export async function multipartBody(
  binary: ExecuteContext['binary'],
  parts: readonly FormPart[],
): Promise<{ body: HttpBodySource; contentType: string }> {
  const { FormDataEncoder } = await import('form-data-encoder');
  for (const part of parts) assertNameLength('file' in part ? `${part.name}${part.file.fileName ?? ''}` : part.name);
  const large = await largeValues(parts);
  const entries = parts.map((part, index): [string, string | StoredFile] => {
    if ('file' in part) return [part.name, new StoredFile(binary, part.file)];
    return [part.name, large.has(index) ? '' : part.value];
  });
  const form = { append: unused, getAll: unused, entries: () => entries.values(), [Symbol.iterator]: () => entries.values() };
  const encoder = new FormDataEncoder({ ...form, [Symbol.toStringTag]: 'FormData' }, `----sluice${randomUUID()}`);
  const largeBytes = [...large.values()].flat().reduce((sum, piece) => sum + piece.length, 0);
  const byteLength = encoder.contentLength === undefined ? undefined : Number(encoder.contentLength) + largeBytes;
  return {
    body: { open: () => bytesOf(encoder.values(), large), ...(byteLength !== undefined && { byteLength }) },
    contentType: encoder.contentType,
  };
}

/** Characters of the longest name of a field or a file. */
const maxNameLength = 64 * 1024;

function assertNameLength({ length }: string): void {
  if (length <= maxNameLength) return;
  const message = `the request cannot be sent: a name in its form is longer than ${maxNameLength} characters`;
  throw new AppError({ code: 'HTTP_INVALID_REQUEST', message });
}

/** Characters of a value that the encoder may convert at once. */
const shortLength = 16 * 1024;

type LargeValues = ReadonlyMap<number, readonly Uint8Array[]>;

/** Values too large for the encoder, which converts a value at once; by the index of their part. */
async function largeValues(parts: readonly FormPart[]): Promise<LargeValues> {
  const large = new Map<number, readonly Uint8Array[]>();
  for (const [index, part] of parts.entries()) {
    if ('value' in part && part.value.length > shortLength) large.set(index, await withFormLineBreaks(part.value));
  }
  return large;
}

/**
 * Replaces the encoder's `encode`, which reads chunks over 64 KiB from the wrong offset of a pooled
 * buffer. The encoder writes three chunks for a part: its header, its value, and a line break.
 */
async function* bytesOf(
  chunks: Iterable<Uint8Array | FileLike>,
  large: LargeValues,
): AsyncGenerator<Uint8Array, void, undefined> {
  let count = 0;
  for (const part of chunks) {
    const value = count % 3 === 1 ? large.get((count - 1) / 3) : undefined;
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

/** A stored file with the interface that form encoders expect. */
class StoredFile {
  readonly name: string;
  readonly type: string;
  /** Not finite if unknown. */
  readonly size: number;
  readonly lastModified = 0;
  readonly [Symbol.toStringTag] = 'File';
  readonly #binary: ExecuteContext['binary'];
  readonly #file: BinaryReference;

  constructor(binary: ExecuteContext['binary'], file: BinaryReference) {
    this.name = file.fileName ?? 'file';
    this.type = file.mimeType.replace(/[\r\n]/g, '');
    this.size = file.fileSize ?? Number.NaN;
    this.#binary = binary;
    this.#file = file;
  }

  async *stream(): AsyncGenerator<Uint8Array, void, undefined> {
    yield* await this.#binary.open(this.#file);
  }
}
