import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { OnDemand } from '@sluice/domain';
import { isBinaryId } from './binary-id.ts';
import type { BinaryStore, ByteRange, DeleteOptions } from './binary-store.ts';
import { BinaryNotFoundError, storageError } from './errors.ts';

export interface S3Options {
  bucket: string;
  region: string;
  /** URL of a service other than AWS, whose buckets are addressed by path; null: AWS. */
  endpoint: string | null;
  /** Null: the machine's own, found by the rules of the AWS SDK (role, environment, profile). */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
}

type Sdk = typeof import('@aws-sdk/client-s3') & typeof import('@aws-sdk/lib-storage');

/** Milliseconds. */
const connectTimeoutMs = 5_000;
const silenceTimeoutMs = 30_000;
/**
 * Size of a part in bytes; an upload keeps two parts in memory. With the 10,000 parts that S3
 * allows, a file has at most 78 GiB.
 */
const partSize = 8 * 1024 * 1024;
const partsAtOnce = 2;
const deletesAtOnce = 8;
const maxSockets = 200;

/**
 * Objects `binary-data/<id>` in a bucket of S3 or a compatible service. The SDK is loaded on first
 * use: loading takes 100 ms and 36 MB.
 */
export class S3Store implements BinaryStore {
  readonly #options: S3Options;
  readonly #loaded: OnDemand<{ sdk: Sdk; client: S3Client }>;

  constructor(options: S3Options) {
    this.#options = options;
    this.#loaded = new OnDemand(() => load(options));
  }

  async put(id: string, content: AsyncIterable<Uint8Array>): Promise<{ size: number }> {
    if (!isBinaryId(id)) throw new Error('not a file id');
    const { sdk, client } = await this.#loaded.get();
    const source = new WatchedSource(content);
    const body = Readable.from(source, { objectMode: false });
    const params = { ...this.#place(id), Body: body };
    try {
      await new sdk.Upload({ client, params, partSize, queueSize: partsAtOnce, leavePartsOnError: false }).done();
      return { size: source.size };
    } catch (error) {
      if (source.failed) throw source.failure;
      throw toStorageError(error);
    } finally {
      body.destroy();
    }
  }

  async open(id: string, range?: ByteRange): Promise<Readable> {
    if (!isBinaryId(id)) throw new BinaryNotFoundError(id);
    const { sdk, client } = await this.#loaded.get();
    const Range = range && `bytes=${range.start}-${range.end}`;
    try {
      const { Body } = await client.send(new sdk.GetObjectCommand({ ...this.#place(id), Range }));
      return Body as Readable;
    } catch (error) {
      if (isMissing(error)) throw new BinaryNotFoundError(id);
      throw toStorageError(error);
    }
  }

  async exists(id: string): Promise<boolean> {
    if (!isBinaryId(id)) return false;
    const { sdk, client } = await this.#loaded.get();
    try {
      await client.send(new sdk.HeadObjectCommand(this.#place(id)));
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw toStorageError(error);
    }
  }

  /** One request per object: services differ most in their bulk delete. */
  async delete(ids: readonly string[], { interrupted = false }: DeleteOptions = {}): Promise<void> {
    const queue = ids.filter(isBinaryId).values();
    const work = async () => {
      for (const id of queue) await this.#delete(id, interrupted);
    };
    await Promise.all(Array.from({ length: deletesAtOnce }, work));
  }

  close(): void {
    this.#loaded.current?.client.destroy();
  }

  async #delete(id: string, interrupted: boolean): Promise<void> {
    const { sdk, client } = await this.#loaded.get();
    await unlessMissing(client.send(new sdk.DeleteObjectCommand(this.#place(id))));
    if (interrupted) await this.#abortUploads(id);
  }

  async #abortUploads(id: string): Promise<void> {
    const { sdk, client } = await this.#loaded.get();
    const { Bucket, Key } = this.#place(id);
    const list = await unlessMissing(client.send(new sdk.ListMultipartUploadsCommand({ Bucket, Prefix: Key })));
    for (const { UploadId } of list?.Uploads ?? [])
      await unlessMissing(client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId })));
  }

  #place(id: string): { Bucket: string; Key: string } {
    return { Bucket: this.#options.bucket, Key: `binary-data/${id}` };
  }
}

async function load({ region, endpoint, credentials }: S3Options): Promise<{ sdk: Sdk; client: S3Client }> {
  const [s3, storage] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')]);
  const client = new s3.S3Client({
    region,
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
    // The SDK's default fails with many compatible services that do not support newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      socketTimeout: silenceTimeoutMs,
      httpAgent: { maxSockets },
      httpsAgent: { maxSockets },
    },
  });
  return { sdk: { ...s3, ...storage }, client };
}

/** Counts bytes, and distinguishes content errors from storage errors. */
class WatchedSource implements AsyncIterable<Uint8Array> {
  readonly #content: AsyncIterable<Uint8Array>;
  size = 0;
  failed = false;
  failure: unknown;

  constructor(content: AsyncIterable<Uint8Array>) {
    this.#content = content;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const chunks = this.#content[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await this.#next(chunks);
        if (done) return;
        this.size += value.byteLength;
        yield value;
      }
    } finally {
      await chunks.return?.();
    }
  }

  async #next(chunks: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    try {
      return await chunks.next();
    } catch (error) {
      this.failed = true;
      this.failure = error;
      throw error;
    }
  }
}

/**
 * The response; `undefined` if there is no such object or upload, which some services report as an
 * error.
 */
async function unlessMissing<T>(response: Promise<T>): Promise<T | undefined> {
  try {
    return await response;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw toStorageError(error);
  }
}

function isMissing(error: unknown): boolean {
  return ['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(nameOf(error));
}

function toStorageError(error: unknown): Error {
  return storageError('BINARY_S3_BUCKET', nameOf(error), error);
}

/** Does not check the class: errors cross realms. */
function nameOf(error: unknown): string {
  return String((error as { name?: unknown } | null)?.name ?? 'unknown error');
}
