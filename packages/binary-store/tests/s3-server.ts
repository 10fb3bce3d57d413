import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * The part of S3 that the store uses, on the loopback interface. Debian has no S3 server before
 * rclone 1.65, and fauxqs on npm, an emulator, checks no signatures and does not list uploads.
 */
export interface S3Server {
  endpoint: string;
  bucket: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  objects: ReadonlyMap<string, Buffer>;
  /** Uploads that were neither completed nor aborted: id → key. */
  uploads: ReadonlyMap<string, string>;
  /** Maximum number of parts in flight at once. */
  readonly partsAtOnce: number;
  /**
   * Decides the response to `METHOD key?query` from now on; `undefined` keeps the default response.
   */
  refuse(decide: (request: string) => { status: number; code: string } | undefined): void;
  close(): Promise<void>;
}

const accessKeyId = 'AKIDEXAMPLE';

export async function startS3Server(): Promise<S3Server> {
  const bucket = new Bucket();
  const server = createServer((request, response) => void bucket.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket: 'files',
    credentials: { accessKeyId, secretAccessKey: 'a secret' },
    objects: bucket.objects,
    uploads: bucket.uploads,
    get partsAtOnce() {
      return bucket.mostParts;
    },
    refuse: (decide) => {
      bucket.decide = decide;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

class Bucket {
  readonly objects = new Map<string, Buffer>();
  readonly uploads = new Map<string, string>();
  readonly #parts = new Map<string, Map<number, Buffer>>();
  mostParts = 0;
  decide: (request: string) => { status: number; code: string } | undefined = () => undefined;
  #partsNow = 0;
  #lastUpload = 0;

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const key = pathname.replace(/^\/files\/?/, '');
    const signed = request.headers.authorization?.startsWith(`AWS4-HMAC-SHA256 Credential=${accessKeyId}/`);
    const refused = signed ? this.decide(`${request.method} ${key}?${searchParams}`) : { status: 403, code: 'AccessDenied' };
    if (refused) {
      request.resume();
      fail(response, refused.status, refused.code);
    } else await this.#serve({ key, query: searchParams, request, response }).catch(() => response.destroy());
  }

  async #serve(call: { key: string; query: URLSearchParams; request: IncomingMessage; response: ServerResponse }) {
    const { key, query, request, response } = call;
    const uploadId = query.get('uploadId');
    switch (request.method) {
      case 'POST':
        if (uploadId === null) return this.#begin(key, response);
        return this.#complete(uploadId, await text(request), response);
      case 'PUT':
        if (uploadId !== null) return this.#takePart(uploadId, Number(query.get('partNumber')), request, response);
        this.objects.set(key, await buffer(request));
        response.setHeader('ETag', '"1"').end();
        return;
      case 'DELETE':
        if (uploadId === null) this.objects.delete(key);
        else this.#forget(uploadId);
        response.writeHead(204).end();
        return;
      default:
        if (query.has('uploads')) return this.#list(query.get('prefix') ?? '', response);
        return this.#give(key, request, response);
    }
  }

  #begin(key: string, response: ServerResponse): void {
    const id = `upload-${++this.#lastUpload}`;
    this.uploads.set(id, key);
    this.#parts.set(id, new Map());
    xml(response, `<InitiateMultipartUploadResult><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  }

  async #takePart(id: string, number: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.mostParts = Math.max(this.mostParts, ++this.#partsNow);
    const bytes = await buffer(request);
    this.#partsNow -= 1;
    this.#parts.get(id)?.set(number, bytes);
    response.setHeader('ETag', `"${number}"`).end();
  }

  #complete(id: string, body: string, response: ServerResponse): void {
    const numbers = [...body.matchAll(/<PartNumber>(\d+)</g)].map(([, number]) => Number(number));
    const parts = numbers.map((number) => this.#parts.get(id)?.get(number) ?? Buffer.alloc(0));
    this.objects.set(this.uploads.get(id) ?? '', Buffer.concat(parts));
    this.#forget(id);
    xml(response, '<CompleteMultipartUploadResult><ETag>"m"</ETag></CompleteMultipartUploadResult>');
  }

  #list(prefix: string, response: ServerResponse): void {
    const uploads = [...this.uploads].filter(([, key]) => key.startsWith(prefix));
    const entries = uploads.map(([id, key]) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`);
    xml(response, `<ListMultipartUploadsResult>${entries.join('')}</ListMultipartUploadsResult>`);
  }

  #give(key: string, { method, headers }: IncomingMessage, response: ServerResponse): void {
    const bytes = this.objects.get(key);
    if (!bytes) {
      if (method === 'HEAD') response.writeHead(404).end();
      else fail(response, 404, 'NoSuchKey');
      return;
    }
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    const part = start === undefined ? bytes : bytes.subarray(Number(start), Number(end) + 1);
    response.writeHead(start === undefined ? 200 : 206, { 'Content-Length': part.length });
    response.end(method === 'HEAD' ? undefined : part);
  }

  #forget(uploadId: string): void {
    this.uploads.delete(uploadId);
    this.#parts.delete(uploadId);
  }
}

async function text(request: IncomingMessage): Promise<string> {
  return (await buffer(request)).toString();
}

function xml(response: ServerResponse, body: string): void {
  response.setHeader('Content-Type', 'application/xml').end(`<?xml version="1.0" encoding="UTF-8"?>${body}`);
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.statusCode = status;
  xml(response, `<Error><Code>${code}</Code><Message>refused</Message></Error>`);
}
