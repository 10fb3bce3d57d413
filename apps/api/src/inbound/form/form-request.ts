import type { JsonObject } from '@sluice/domain';
import type { Request } from 'express';
import type { Visitor } from './admit.ts';

/** Whether the form comes from a program rather than a page: as JSON, with fields by their names. */
export function isJsonRequest(request: Request): boolean {
  return Boolean(request.is('json')) || request.accepts(['html', 'json']) === 'json';
}

/** `publicUrl`: as callers reach the API; a proxy may have told us another name. */
export function visitorOf({ method, ip = '', headers, host }: Request, publicUrl: string | null): Visitor {
  const hosts = [host?.toLowerCase(), publicUrl === null ? undefined : new URL(publicUrl).host];
  return { method, address: ip, headers, hosts: hosts.filter((name) => name !== undefined) };
}

export function queryOf(request: Request): JsonObject {
  return { ...request.query } as JsonObject;
}
