import { randomBytes } from 'node:crypto';
import type { JsonObject } from '@sluice/domain';
import type { Request, Response } from 'express';
import { type InboundPorts, type InboundRequest, inboundRequest, requestKey } from '../shared/inbound-request.ts';

export interface FormRequest extends InboundRequest {
  /** Host names, with ports, of our own pages. */
  ownHosts: readonly string[];
}

export function formRequest(request: Request, response: Response, ports: InboundPorts): FormRequest {
  return { ...inboundRequest(request, response, ports), ownHosts: ownHosts(request, ports.publicUrl) };
}

/** `publicUrl`: a proxy may have replaced the `Host` header. */
function ownHosts({ host }: Request, publicUrl: string | null): string[] {
  const hosts = [host?.toLowerCase(), publicUrl === null ? undefined : new URL(publicUrl).host];
  return hosts.filter((name) => name !== undefined);
}

/** Whether a program rather than a page sends the form: as JSON, with fields by their names. */
export function isJsonRequest(request: Request): boolean {
  return Boolean(request.is('json')) || request.accepts(['html', 'json']) === 'json';
}

export function queryOf(request: Request): JsonObject {
  return { ...request.query } as JsonObject;
}

/*
 * A form with a key counts once. Keys of pages are random, so that they can be part of the next
 * page's URL.
 */

export function newKey(): string {
  return randomBytes(24).toString('base64url');
}

/** Whether a string has the format of a page's key. */
export function isKey(text: string): boolean {
  return /^[\w-]{22,64}$/.test(text);
}

/**
 * The key of the page. For a program without one: its `Idempotency-Key`, which opens no address, or
 * a new key. Throws `ValidationError` for one that is not printable.
 */
export function keyOf(request: Request, ofPage: string | undefined): string {
  if (ofPage !== undefined && isKey(ofPage)) return ofPage;
  const { headers, method, path } = request;
  return (isJsonRequest(request) ? requestKey({ headers, method, segments: path.split('/') }) : undefined) ?? newKey();
}
