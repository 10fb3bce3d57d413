import type { BinaryReference, WebhookRequestContext } from '@sluice/node-sdk';

/** An uploaded file in the packages' format; packages pass its path to `copyBinaryFile`. */
interface UploadedFile {
  filepath: string;
  originalFilename: string | null;
  mimetype: string;
  /** In bytes. */
  size: number;
}

/** The files of a request, by unique internal paths. */
export class UploadedFiles {
  readonly #call: Pick<WebhookRequestContext, 'request' | 'binary'>;
  readonly #byPath: ReadonlyMap<string, BinaryReference>;

  constructor(call: Pick<WebhookRequestContext, 'request' | 'binary'>) {
    this.#call = call;
    this.#byPath = new Map(Object.values(call.request.binary).map((file) => [pathOf(file), file]));
  }

  /** The body; for a form that can have files, its fields and files. */
  get body(): unknown {
    const { headers, body, binary } = this.#call.request;
    if (
      !String(headers['content-type'] ?? '')
        .toLowerCase()
        .startsWith('multipart/form-data')
    )
      return body;
    const files = Object.entries(binary).map(([field, file]) => [field, toUploaded(file)] as const);
    return { data: body, files: Object.fromEntries(files) };
  }

  async open(path: string): Promise<AsyncIterable<Uint8Array>> {
    const file = this.#byPath.get(path);
    if (file) return this.#call.binary.open(file);
    throw new TypeError('the request contains no such file');
  }
}

function pathOf({ id }: BinaryReference): string {
  return `upload:${id}`;
}

function toUploaded(file: BinaryReference): UploadedFile {
  const { fileName = null, mimeType, fileSize = 0 } = file;
  return { filepath: pathOf(file), originalFilename: fileName, mimetype: mimeType, size: fileSize };
}
