import { isUtf8 } from 'node:buffer';
import { AppError, isAppError, PayloadTooLargeError, ValidationError } from '@sluice/domain';
import express, { type Request, type RequestHandler } from 'express';
import { assertSoundJson, parseBody } from './check-json.ts';

export interface BodyLimits {
  limitBytes: number;
  /** Levels of nesting. */
  maxDepth: number;
}

/** Most chunks of a body: the parser keeps each until the end, and one of a single byte takes some 150 bytes. */
const maxChunks = 262_144;

/** Whether the request has a body. */
export function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Reads a JSON body into `request.body`, which stays `undefined` without a body. Refuses other
 * content types.
 */
export function jsonBody(limits: BodyLimits): RequestHandler[] {
  return [requireJson(limits.limitBytes), readJson(limits)];
}

/**
 * Refuses other content types and oversized bodies by their headers, without waiting for the body.
 */
function requireJson(limitBytes: number): RequestHandler {
  return (request, _response, next) => {
    if (hasBody(request) && !request.is('application/json')) {
      throw new AppError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: 'the body must be application/json' });
    }
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw new PayloadTooLargeError('the body is too large');
    next();
  };
}

/** Checks the text before it is parsed. */
function readJson({ limitBytes, maxDepth }: BodyLimits): RequestHandler {
  const receive = express.raw({ limit: limitBytes, type: () => true });
  const parse = async (request: Request): Promise<void> => {
    const bytes: unknown = request.body;
    if (!Buffer.isBuffer(bytes)) return;
    assertUtf8(bytes, charsetOf(request));
    await assertSoundJson(bytes, { maxDepth, uniqueKeys: true });
    request.body = bytes.length === 0 ? {} : await parseBody(bytes.toString('utf8'));
  };
  return (request, response, next) => {
    const done = upTo(limitBytes, request, (error) => {
      if (error === undefined) parse(request).then(() => next(), next);
      else next(isDecompressionError(error) ? decompressionFailed(request.headers['content-encoding']) : error);
    });
    receive(request, response, done);
  };
}

/** Rejects an oversized body as soon as it crosses a limit; the parser would wait for its end. */
function upTo(limitBytes: number, request: Request, done: (error?: unknown) => void): (error?: unknown) => void {
  let [size, chunks, isOver] = [0, 0, false];
  const end = (error?: unknown) => {
    request.off('data', count);
    if (!isOver) done(error);
    isOver = true;
  };
  const count = (chunk: Buffer) => {
    [size, chunks] = [size + chunk.byteLength, chunks + 1];
    if (size > limitBytes) end(new PayloadTooLargeError('the body is too large'));
    else if (chunks > maxChunks) end(new PayloadTooLargeError('the body comes in too many pieces'));
  };
  if (hasBody(request)) request.on('data', count);
  return end;
}

/** Charset of the content type; default UTF-8. */
function charsetOf(request: Request): string {
  return /;\s*charset="?([^\s;"]+)/i.exec(request.get('content-type') ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
}

/** Runs before the parser, which would replace invalid UTF-8. */
function assertUtf8(text: Buffer, charset: string): void {
  if (charset !== 'utf-8') throw new AppError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: 'the body must be UTF-8' });
  if (!isUtf8(text)) throw new ValidationError('the body is not valid UTF-8', '');
}

/** Whether zlib threw it: errors of the parser have a `type`. */
function isDecompressionError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || isAppError(error) || 'type' in error) return false;
  return 'errno' in error && 'code' in error;
}

function decompressionFailed(encoding = 'identity'): ValidationError {
  return new ValidationError(`the body is not valid ${encoding.toLowerCase()}, which Content-Encoding says it is`, '');
}
