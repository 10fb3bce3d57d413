import { isUtf8 } from 'node:buffer';
import { AppError, isAppError, ValidationError } from '@sluice/domain';
import express, { type RequestHandler } from 'express';
import { scanJson } from '../limits/scan-json.ts';
import { assertDepth, assertFiniteNumbers, tooDeep } from './check-json.ts';

/** Of a path in an answer, which holds the caller's own keys. */
const maxPathLength = 256;

export interface BodyLimits {
  limitBytes: number;
  /** Levels of nesting. */
  maxDepth: number;
}

export interface JsonReading {
  /** What counts as JSON, as `type` of Express says it. */
  type: string[] | (() => boolean);
  /** Of a key that stands twice in one object, `JSON.parse` keeps the second without a word. */
  repeatedKeys: 'refused' | 'allowed';
}

/** Reads a body that is JSON into `request.body`, and leaves others alone. The text is checked first, and then the numbers read from it. */
export function readJson({ limitBytes, maxDepth }: BodyLimits, { type, repeatedKeys }: JsonReading): RequestHandler[] {
  const parse = express.json({
    limit: limitBytes,
    strict: false, // a number is JSON, too: the schema says what is wrong with it
    type,
    verify: (_request, _response, text, charset) => {
      assertUtf8(text, charset);
      if (repeatedKeys === 'refused') assertSoundText(text, maxDepth);
      else assertDepth(text.toString('latin1'), maxDepth);
    },
  });
  return [
    (request, response, next) =>
      parse(request, response, (error?: unknown) => {
        if (error === undefined) next();
        else next(isUnpackingError(error) ? notUnpacked(request.headers['content-encoding']) : error);
      }),
    (request, _response, next) => {
      assertFiniteNumbers(request.body);
      next();
    },
  ];
}

/** Before the text is parsed: the parser changes what is no UTF-8. */
function assertUtf8(text: Buffer, charset: string): void {
  if (charset !== 'utf-8') throw new AppError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: 'the body must be UTF-8' });
  if (!isUtf8(text)) throw new ValidationError('the body is not valid UTF-8');
}

function assertSoundText(text: Buffer, maxDepth: number): void {
  const found = scanJson(text, maxDepth);
  if (!found) return;
  if (found.fault === 'too deep') throw tooDeep(maxDepth);
  const issue = { path: found.path.slice(0, maxPathLength), message: 'is given more than once' };
  throw new ValidationError('the request is not valid', [issue]);
}

/** Of zlib, as opposed to those of the parser, which have a `type`, and ours. */
function isUnpackingError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || isAppError(error) || 'type' in error) return false;
  return 'errno' in error && 'code' in error;
}

function notUnpacked(encoding = 'identity'): ValidationError {
  return new ValidationError(`the body is not valid ${encoding.toLowerCase()}, which Content-Encoding says it is`);
}
