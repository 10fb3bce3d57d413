import { isUtf8 } from 'node:buffer';
import { AppError, ValidationError } from '@sluice/domain';
import type { Request, RequestHandler } from 'express';
import { assertSoundJson, parseBody } from './check-json.ts';
import { decompressed, hasBody, isEmptyBody, readBytes } from './read-bytes.ts';

export interface BodyLimits {
  limitBytes: number;
  /** Levels of nesting. */
  maxDepth: number;
}

/**
 * Reads a JSON body into `request.body`, which stays `undefined` without a body. Refuses other
 * content types before the body arrives.
 */
export function jsonBody({ limitBytes, maxDepth }: BodyLimits): RequestHandler {
  return async (request, _response, next) => {
    const { 'transfer-encoding': chunked, 'content-length': length } = request.headers;
    if (hasBody(request) && !request.is('application/json') && !(await isEmptyBody(request)))
      throw new AppError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: 'the body must be application/json' });
    if (chunked === undefined && length === undefined) return next();
    const bytes = await decompressed(request, await readBytes(request, limitBytes), limitBytes);
    assertUtf8(bytes, charsetOf(request));
    await assertSoundJson(bytes, { maxDepth, uniqueKeys: true });
    request.body = bytes.length === 0 ? {} : await parseBody(bytes.toString('utf8'));
    next();
  };
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
