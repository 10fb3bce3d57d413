import type { IncomingHttpHeaders } from 'node:http';
import type { WebhookRoute } from '@sluice/db';
import { type Item, type JsonObject, userKeyed } from '@sluice/domain';
import type { ReadBody } from './read-body.ts';
import type { CredentialProof } from './request-authenticator.ts';

/** A call as it comes in, before its body is read. */
export interface WebhookRequest {
  /** The parts of the path, decoded. */
  segments: readonly string[];
  method: string;
  /** Of the caller; proxies that are believed taken into account. */
  address: string;
  headers: IncomingHttpHeaders;
  query: JsonObject;
  /** As it was called, without the query. */
  url: string;
  /** Path and query, as the caller wrote them. */
  target: string;
}

const hidden = '***REDACTED***';

/** What a workflow sees of the head of a call: all but the secret that it has brought, and what its token says. */
export function shownHead(
  given: IncomingHttpHeaders,
  proof: CredentialProof | undefined,
): { headers: JsonObject; jwtPayload?: JsonObject } {
  const headers = userKeyed(Object.entries(given as JsonObject));
  if (proof && Object.hasOwn(headers, proof.secretHeader)) headers[proof.secretHeader] = hidden;
  return { headers, ...(proof?.jwtPayload && { jwtPayload: proof.jwtPayload }) };
}

/** The item that a call begins a workflow with. */
export function itemOf(
  call: WebhookRequest,
  { spec, test }: Pick<WebhookRoute, 'spec' | 'test'>,
  { body, binary }: ReadBody,
  proof: CredentialProof | undefined,
): Item {
  const { headers, ...said } = shownHead(call.headers, proof);
  const json: JsonObject = {
    headers,
    params: paramsOf(spec.path, call.segments),
    query: call.query,
    body,
    webhookUrl: call.url,
    executionMode: test ? 'test' : 'production',
    ...said,
  };
  return Object.keys(binary).length > 0 ? { json, binary } : { json };
}

/** What the parts of a path are that it names. */
export function paramsOf(path: string, segments: readonly string[]): JsonObject {
  const named = path.split('/').map((part, i) => [part, segments[i] ?? ''] as const);
  return userKeyed(named.filter(([part]) => part.startsWith(':')).map(([part, value]) => [part.slice(1), value] as const));
}
