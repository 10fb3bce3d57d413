import type { Readable } from 'node:stream';
import { AppError } from '@sluice/domain';
import type { Request, Response } from 'express';
import { pipeToClient } from './client-disconnect.ts';

/** A file as a response. Its bytes never change, so the tag stays valid. */
export interface SentFile {
  etag: string;
  contentType: string;
  fileName: string | null;
  /** Bytes. */
  size: number;
  /** `range`: first and last byte, both included. */
  open(range?: ByteRange): Promise<Readable>;
}

interface ByteRange {
  start: number;
  end: number;
}

/**
 * Sends a file, one range of it, or 304. Always as a download: content and type come from users and
 * remote services, and must not run on this origin.
 */
export async function sendFile(file: SentFile, response: Response): Promise<void> {
  const { req: request } = response;
  response.setHeader('ETag', file.etag);
  response.setHeader('Cache-Control', 'private, no-cache');
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  const range = rangeOf(request, file, response);
  const bytes = request.method === 'HEAD' ? undefined : await file.open(range);
  setFileHeaders(file, range, response);
  if (bytes) await pipeToClient(bytes, response);
  else response.end();
}

/** The requested range; `undefined` (the whole file) for none, an invalid one, or several. */
function rangeOf(request: Request, { size, etag }: SentFile, response: Response): ByteRange | undefined {
  const condition = request.get('if-range');
  const ranges = condition === undefined || condition === etag ? request.range(size) : undefined;
  if (ranges === -1) {
    response.setHeader('Content-Range', `bytes */${size}`);
    throw new AppError({ code: 'RANGE_NOT_SATISFIABLE', message: `the file has ${size} bytes` });
  }
  const isOne = Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1;
  return isOne ? ranges[0] : undefined;
}

function setFileHeaders({ contentType, fileName, size }: SentFile, range: ByteRange | undefined, response: Response): void {
  response.attachment(fileName ?? undefined);
  // Not with `set`, which would add a charset; the real one is unknown.
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Security-Policy', "sandbox; default-src 'none'; frame-ancestors 'none'");
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('Content-Length', range ? range.end - range.start + 1 : size);
  if (!range) return;
  response.status(206).setHeader('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
}
