import type { IncomingHttpHeaders } from 'node:http';
import type { WebhookRoute } from '@sluice/db';
import { type Item, type JsonObject, userKeyed } from '@sluice/domain';
import type { CallProof } from './call-authenticator.ts';
import type { ReadBody } from './read-body.ts';

/** A call as it comes in, before its body is read. */
export interface WebhookCall {
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

/** The item that a call begins a workflow with. The secret that it has brought is left out. */
export function itemOf(
  call: WebhookCall,
  { spec, test }: Pick<WebhookRoute, 'spec' | 'test'>,
  { body, binary }: ReadBody,
  proof: CallProof | undefined,
): Item {
  const headers = userKeyed(Object.entries(call.headers as JsonObject));
  if (proof && Object.hasOwn(headers, proof.secretHeader)) headers[proof.secretHeader] = hidden;
  const json: JsonObject = {
    headers,
    params: paramsOf(spec.path, call.segments),
    query: call.query,
    body,
    webhookUrl: call.url,
    executionMode: test ? 'test' : 'production',
    ...(proof?.jwtPayload && { jwtPayload: proof.jwtPayload }),
  };
  return Object.keys(binary).length > 0 ? { json, binary } : { json };
}

/** What the parts of a path are that it names. */
export function paramsOf(path: string, segments: readonly string[]): JsonObject {
  const named = path.split('/').map((part, i) => [part, segments[i] ?? ''] as const);
  return userKeyed(named.filter(([part]) => part.startsWith(':')).map(([part, value]) => [part.slice(1), value] as const));
}
