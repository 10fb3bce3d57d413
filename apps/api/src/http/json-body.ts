import { AppError, PayloadTooLargeError, ValidationError } from '@sluice/domain';
import express, { type RequestHandler } from 'express';
import { nestsDeeperThan } from '../limits/json-depth.ts';
import { checkJson } from './check-json.ts';

export interface BodyLimits {
  limitBytes: number;
  /** Levels of nesting. */
  maxDepth: number;
}

/** Reads a JSON body into `request.body`, which stays `undefined` when there is none. */
export function jsonBody({ limitBytes, maxDepth }: BodyLimits): RequestHandler[] {
  /** Before it is parsed: deep nesting costs `JSON.parse` seconds. */
  const check = (text: Buffer, charset: string) => {
    if (charset !== 'utf-8') throw new AppError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: 'the body must be UTF-8' });
    if (nestsDeeperThan(text, maxDepth)) throw new ValidationError(`the body is nested deeper than ${maxDepth} levels`);
  };
  return [
    requireJson(limitBytes),
    express.json({ limit: limitBytes, type: () => true, verify: (_request, _response, text, charset) => check(text, charset) }),
    (request, _response, next) => {
      checkJson(request.body, { maxDepth });
      next();
    },
  ];
}

/** Refuses by the headers alone what they show to be no JSON or too large: such a body is not waited for. */
function requireJson(limitBytes: number): RequestHandler {
  return (request, response, next) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    const hasBody = encoding !== undefined || (length !== undefined && length !== '0');
    if (hasBody && !request.is('application/json')) {
      throw new AppError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: 'the body must be application/json' });
    }
    if (Number(length ?? 0) > limitBytes) {
      response.setHeader('Connection', 'close');
      throw new PayloadTooLargeError('the body is too large');
    }
    next();
  };
}
