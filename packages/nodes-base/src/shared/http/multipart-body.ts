import { randomUUID } from 'node:crypto';
import type { BinaryReference, ExecuteContext, HttpBodySource } from '@sluice/node-sdk';
import type { FileLike } from 'form-data-encoder';

/** A part of a form: a field, or a file of the item. */
export type FormPart = { name: string; value: string } | { name: string; file: BinaryReference };

/** A body of `multipart/form-data`, its files streamed from the store each time it is sent. Names cannot break out of their headers. */
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

/** Not the encoder's own `encode`, which takes chunks over 64 KiB from the wrong place of a pooled buffer. */
async function* bytesOf(parts: Iterable<Uint8Array | FileLike>): AsyncGenerator<Uint8Array, void, undefined> {
  for (const part of parts) {
    if (part instanceof Uint8Array) yield part;
    else yield* part.stream() as AsyncIterable<Uint8Array>;
  }
}

/** Only the builder of a form would call it. */
function unused(): never {
  throw new TypeError('the parts of this form are complete');
}

/** A file of the store, as encoders of forms want to see files. */
class StoredFile {
  readonly name: string;
  readonly type: string;
  /** Not finite: unknown. */
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
