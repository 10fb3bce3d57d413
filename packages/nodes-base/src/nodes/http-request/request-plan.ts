import {
  type BinaryReference,
  type ExecuteContext,
  encodeForm,
  type HttpRequest,
  type HttpTls,
  type JsonObject,
  type JsonValue,
  stringifyJson,
  userKeyed,
} from '@sluice/node-sdk';
import { type FormPart, multipartBody } from '../../shared/http/multipart-body.ts';
import { type ArrayFormat, spread, withQuery } from '../../shared/http/text-values.ts';

export type NamedValue = [name: string, value: JsonValue];

/** A request body before serialization. An empty content type means the default for its kind. */
export type PlannedBody =
  /** Serialized when it is sent. */
  | { kind: 'json'; value: JsonValue }
  | { kind: 'text'; text: string; contentType: string }
  | { kind: 'form'; fields: NamedValue[] }
  | { kind: 'multipart'; parts: FormPart[] }
  | { kind: 'file'; file: BinaryReference; contentType: string };

/** An item's request, for any version of the parameters; without its credential. */
export interface RequestPlan {
  method: string;
  url: string;
  query: NamedValue[];
  arrayFormat: ArrayFormat;
  headers: [string, string][];
  keepHeaderCase: boolean;
  body: PlannedBody | undefined;
  /** Milliseconds. */
  timeoutMs: number;
  maxRedirects: number;
  allowUnauthorizedCerts: boolean;
  /** Empty: no proxy. */
  proxy: string;
}

const accepted = 'application/json, text/*;q=0.9, */*;q=0.8';

/** A plan's request. A response may be a file, for which the store has its own limit. */
export async function plannedRequest(
  plan: RequestPlan,
  binary: ExecuteContext['binary'],
  certificates: HttpTls | undefined,
): Promise<HttpRequest> {
  const { method, url, query, arrayFormat, keepHeaderCase, timeoutMs, maxRedirects, allowUnauthorizedCerts, proxy } = plan;
  const body = plan.body && (await writtenBody(plan.body, binary));
  const headers: [string, string][] = [['accept', accepted]];
  if (body && body.contentType !== '') headers.push(['content-type', body.contentType]);
  const tls = { ...certificates, ...(allowUnauthorizedCerts && { rejectUnauthorized: false }) };
  return {
    method,
    url: withQuery(url, query, arrayFormat),
    headers: userKeyed(withOwn(headers, plan.headers)),
    ...(keepHeaderCase && { keepHeaderCase }),
    ...(body && { body: body.body }),
    timeoutMs,
    maxRedirects,
    maxResponseBytes: Number.POSITIVE_INFINITY,
    ...(Object.keys(tls).length > 0 && { tls }),
    ...(proxy !== '' && { proxy }),
  };
}

/** The author's headers replace ours, regardless of case. */
function withOwn(ours: [string, string][], own: [string, string][]): [string, string][] {
  const names = new Set(own.map(([name]) => name.toLowerCase()));
  return [...ours.filter(([name]) => !names.has(name)), ...own];
}

async function writtenBody(
  planned: PlannedBody,
  binary: ExecuteContext['binary'],
): Promise<{ body: NonNullable<HttpRequest['body']>; contentType: string }> {
  switch (planned.kind) {
    case 'json':
      return { body: await stringifyJson(planned.value), contentType: 'application/json' };
    case 'text':
      return { body: planned.text, contentType: planned.contentType };
    case 'form':
      return { body: await encodeForm(spread(planned.fields, 'indices')), contentType: 'application/x-www-form-urlencoded' };
    case 'multipart':
      return multipartBody(binary, planned.parts);
    case 'file':
      return fileBody(planned.file, planned.contentType, binary);
  }
}

function fileBody(file: BinaryReference, contentType: string, binary: ExecuteContext['binary']) {
  const { fileSize, mimeType } = file;
  return {
    body: { open: () => binary.open(file), ...(fileSize !== undefined && { byteLength: fileSize }) },
    contentType: contentType || mimeType,
  };
}

/** The request in expressions: `$request`. Excludes files. */
export function shownRequest({ method, url, query, headers, body }: RequestPlan): JsonObject {
  return { method, url, qs: userKeyed(query), headers: userKeyed(headers), body: body ? shownBody(body) : null };
}

function shownBody(body: PlannedBody): JsonValue {
  switch (body.kind) {
    case 'json':
      return body.value;
    case 'text':
      return body.text;
    case 'form':
      return userKeyed(body.fields);
    case 'multipart':
      return userKeyed(body.parts.flatMap((part) => ('value' in part ? [[part.name, part.value] as const] : [])));
    case 'file':
      return null;
  }
}
