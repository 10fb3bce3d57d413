import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { WebhookRoute } from '@sluice/db';
import { type Item, type JsonObject, userKeyed } from '@sluice/domain';
import type { Request, Response } from 'express';
import { cookiePathOf, withoutOwnCookies } from '../../http/headers/own-cookies.ts';
import { printableHeader } from '../../http/headers/request-headers.ts';
import type { BodyLimits } from '../../http/request/read-json.ts';
import { senderAddress } from '../../http/request/sender-address.ts';
import { responseClosed } from '../../http/response/client-disconnect.ts';
import type { AnonymousLimit, AnonymousRoute } from '../../limits/anonymous-limit.ts';
import type { MissLimit } from '../../limits/miss-limit.ts';
import { type BodyReading, isShort, type ReadBody, readBody } from './read-body.ts';
import type { CredentialProof } from './request-authenticator.ts';

/** The head of an inbound request, as data. */
export interface RequestHead {
  method: string;
  /** Address of the client, as trusted proxies report it. */
  address: string;
  headers: IncomingHttpHeaders;
  query: JsonObject;
  /** Decoded segments of the path after its prefix. */
  segments: readonly string[];
  /** Public URL, without the query. */
  url: string;
  /** Path and query as sent. */
  target: string;
}

/** An inbound request for services: its head, and the steps that need its connection. */
export interface InboundRequest extends RequestHead {
  /** Aborts when the client disconnects before its response is complete. */
  disconnected: AbortSignal;
  /** Whether the whole request has arrived. */
  isComplete(): boolean;
  /** Whether the body can be read twice. */
  isShort(): boolean;
  /** Rejects with `RATE_LIMITED` after too many wrong addresses and secrets of the client. */
  assertMayGuess(): Promise<void>;
  /**
   * Counts the request against its rate limits. Throws `RATE_LIMITED` and `STORAGE_QUOTA_EXCEEDED`.
   */
  countFor(route: AnonymousRoute): Promise<void>;
  /** Reads the body by its content type. */
  readBody(reading: Omit<BodyReading, 'limits'>): Promise<ReadBody>;
}

export interface InboundPorts {
  limits: BodyLimits;
  misses: Pick<MissLimit, 'assertMayGuess'>;
  anonymous: AnonymousLimit;
  /** Public URL of the API; null: unknown. */
  publicUrl: string | null;
}

/** An inbound request from Express. */
export function inboundRequest(
  request: Request,
  response: Response,
  { limits, misses, anonymous, publicUrl }: InboundPorts,
): InboundRequest {
  response.locals['cookiePath'] = cookiePathOf(request.path, publicUrl);
  const disconnected = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) disconnected.abort(responseClosed);
  });
  return {
    method: request.method,
    address: senderAddress(request) ?? '',
    headers: withoutOwnCookies(request.headers),
    query: { ...request.query } as JsonObject,
    segments: segmentsOf(request),
    url: `${publicUrl ?? `${request.protocol}://${request.headers.host ?? ''}`}${request.path}`,
    target: request.originalUrl,
    disconnected: disconnected.signal,
    isComplete: () => request.complete,
    isShort: () => isShort(request, limits),
    assertMayGuess: () => misses.assertMayGuess(request, response),
    countFor: (route) => anonymous.admit(request, response, route),
    readBody: (reading) => readBody(request, { ...reading, limits }),
  };
}

/** Segments of the parameter `path`, without an empty last one. */
function segmentsOf(request: Request): string[] {
  const { path = [] } = request.params as { path?: string | string[] };
  const segments = [path].flat();
  return segments.at(-1) === '' ? segments.slice(0, -1) : segments;
}

const hidden = '***REDACTED***';

/**
 * Headers for the workflow, without the secret, and the payload of the token. A browser's password
 * is hidden even if the node does not ask for one: browsers send a password that a user entered for
 * a workflow to all workflows of this origin, also those of other projects.
 */
export function visibleHead(
  received: IncomingHttpHeaders,
  proof: CredentialProof | undefined,
): { headers: JsonObject; jwtPayload?: JsonObject } {
  const headers = userKeyed(Object.entries(received as JsonObject));
  if (proof && Object.hasOwn(headers, proof.secretHeader)) headers[proof.secretHeader] = hidden;
  if (isFromBrowser(received) && /^basic\b/i.test(received.authorization ?? '')) headers['authorization'] = hidden;
  return { headers, ...(proof?.jwtPayload && { jwtPayload: proof.jwtPayload }) };
}

/** Scripts cannot set or remove this header. */
function isFromBrowser(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-site'] !== undefined;
}

/** The item that a workflow starts with. */
export function itemOf(
  request: RequestHead,
  { spec, test }: Pick<WebhookRoute, 'spec' | 'test'>,
  { body, binary }: ReadBody,
  proof: CredentialProof | undefined,
): Item {
  const { headers, ...token } = visibleHead(request.headers, proof);
  const json: JsonObject = {
    headers,
    params: paramsOf(spec.path, request.segments),
    query: request.query,
    body,
    webhookUrl: request.url,
    executionMode: test ? 'test' : 'production',
    ...token,
  };
  return Object.keys(binary).length > 0 ? { json, binary } : { json };
}

/** Values of the `:name` segments of a path. */
export function paramsOf(path: string, segments: readonly string[]): JsonObject {
  const named = path.split('/').map((part, i) => [part, segments[i] ?? ''] as const);
  return userKeyed(named.filter(([part]) => part.startsWith(':')).map(([part, value]) => [part.slice(1), value] as const));
}

type Keyed = Pick<RequestHead, 'headers' | 'method' | 'segments'>;

/*
 * A request with a key counts once. Keys contain a colon, so they never equal the key of a form
 * page.
 */

/**
 * Idempotency key of a request, bound to its method, path and sender: equal keys of two senders
 * never share an execution or its response. `undefined` without the header. Throws
 * `ValidationError`.
 */
export function requestKey(request: Keyed, proof?: CredentialProof): string | undefined {
  const key = printableHeader('Idempotency-Key', request.headers['idempotency-key']);
  return key && `call:${hash([key, request.method, request.segments, senderOf(request, proof)])}`;
}

/**
 * Message id of Standard Webhooks as a key, for all requests of the node. The id is signed, method
 * and path are not: a message that is sent again elsewhere counts once. Throws `ValidationError`.
 */
export function messageKey(request: Pick<RequestHead, 'headers'>, idHeader: string): string | undefined {
  const id = printableHeader(idHeader, request.headers[idHeader.toLowerCase()]);
  return id && `call:${id}`;
}

/** Idempotency key of a delivery, by the ID that its service gave it, for the whole node. */
export function deliveryKey(id: string): string {
  return `delivery:${hash([id])}`;
}

/** Claims that differ between tokens of one sender. */
const issueClaims: ReadonlySet<string> = new Set(['iat', 'exp', 'nbf', 'jti']);

/**
 * The sender: claims of its token, or its secret. Workflows may check `Authorization` themselves if
 * their node does not; requests without this header are treated as one sender.
 */
function senderOf({ headers }: Keyed, proof: CredentialProof | undefined): unknown {
  return proof?.jwtPayload ? claimsOf(proof.jwtPayload) : (headers[proof?.secretHeader ?? 'authorization'] ?? null);
}

function claimsOf(payload: JsonObject): unknown {
  return Object.entries(payload)
    .filter(([name]) => !issueClaims.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function hash(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
