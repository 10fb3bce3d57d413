import type { JsonObject } from '@sluice/domain';
import type { Request } from 'express';
import type { Visitor } from './admit.ts';

/** Whether the form comes from a program rather than a page: as JSON, with fields by their names. */
export function isJsonCall(request: Request): boolean {
  return Boolean(request.is('json')) || request.accepts(['html', 'json']) === 'json';
}

export function visitorOf({ method, ip = '', headers }: Request): Visitor {
  return { method, address: ip, headers };
}

export function queryOf(request: Request): JsonObject {
  return { ...request.query } as JsonObject;
}
