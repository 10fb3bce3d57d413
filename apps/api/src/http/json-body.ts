import { AppError } from '@sluice/domain';
import express, { type RequestHandler } from 'express';
import { checkJson } from './check-json.ts';

export interface BodyLimits {
  limitBytes: number;
  /** Levels of nesting. */
  maxDepth: number;
}

/** Reads a JSON body into `request.body`, which stays `undefined` when there is none. */
export function jsonBody({ limitBytes, maxDepth }: BodyLimits): RequestHandler[] {
  return [
    requireJson,
    express.json({ limit: limitBytes, type: () => true }),
    (request, _response, next) => {
      checkJson(request.body, { maxDepth });
      next();
    },
  ];
}

const requireJson: RequestHandler = (request, _response, next) => {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  const hasBody = encoding !== undefined || (length !== undefined && length !== '0');
  if (hasBody && !request.is('application/json')) {
    throw new AppError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: 'the body must be application/json' });
  }
  next();
};
