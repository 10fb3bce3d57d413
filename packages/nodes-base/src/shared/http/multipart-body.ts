import { randomUUID } from 'node:crypto';
import type { BinaryReference, ExecuteContext, HttpBodySource } from '@sluice/node-sdk';
import type { FileLike } from 'form-data-encoder';

/** A part of a form: a field, or a file of the item. */
export type FormPart = { name: string; value: string } | { name: string; file: BinaryReference };

/**
 * A `multipart/form-data` body that streams files from the store each time it is sent. Names are
 * escaped for their headers.
 */
export async function multipartBody(
  binary: ExecuteContext['binary'],
  parts: readonly FormPart[],
): Promise<{ body: HttpBodySource; contentType: string }> {
  const { FormDataEncoder } = await import('form-data-encoder');
  const entries = parts.map((part): [string, string | StoredFile] => [
    part.name,
    'file' in part ? new StoredFile(binary, part.file) : part.value,
  ]);
  const form = { append: unused, getAll: unused, entries: () => entries.values(), [Symbol.iterator]: () => entries.values() };
  const encoder = new FormDataEncoder({ ...form, [Symbol.toStringTag]: 'FormData' }, `----sluice${randomUUID()}`);
  const byteLength = encoder.contentLength === undefined ? undefined : Number(encoder.contentLength);
  return {
    body: { open: () => bytesOf(encoder.values()), ...(byteLength !== undefined && { byteLength }) },
    contentType: encoder.contentType,
  };
}

/**
 * Replaces the encoder's `encode`, which reads chunks over 64 KiB from the wrong offset of a pooled
 * buffer.
 */
async function* bytesOf(parts: Iterable<Uint8Array | FileLike>): AsyncGenerator<Uint8Array, void, undefined> {
  for (const part of parts) {
    if (part instanceof Uint8Array) yield part;
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
