import type { Readable } from 'node:stream';
import type { BinaryStore } from '@sluice/binary-store';
import type { BinaryRepository } from '@sluice/db';
import type { ExecutionId, ResponseHeaders, WebhookResponse } from '@sluice/domain';
import type { Request, RequestHandler, Response } from 'express';
import { toErrorBody } from '../../http/errors/error-handler.ts';
import { isTemporary, setRetryAfter, statusOf } from '../../http/errors/error-statuses.ts';
import { confinedCookie, isOwnCookie } from '../../http/headers/own-cookies.ts';
import { requestState } from '../../http/request/request-state.ts';
import { disconnectStalled, pipeToClient } from '../../http/response/client-disconnect.ts';
import { countUnread } from '../../http/response/unread-responses.ts';
import { completionView } from '../../pages/notice-view.ts';
import { renderPage } from '../../pages/send-page.ts';
import { NoResponseError, setRefusalHeaders } from './errors.ts';

/** Storage of files that responses refer to. */
export interface ResponseFiles {
  binaries: BinaryRepository;
  store: BinaryStore;
}

/** Sends the response of a workflow. Throws `NoResponseError` if its file no longer exists. */
export async function sendWorkflowResponse(
  files: ResponseFiles,
  response: Response,
  { executionId, outcome }: { executionId: ExecutionId; outcome: WebhookResponse },
): Promise<void> {
  const { body } = outcome;
  const file = body.kind === 'file' ? await findResponseFile(files, body.file.id, executionId) : undefined;
  await sendWebhookResponse(response, outcome, file);
}

/** Throws `NoResponseError` if the file no longer exists. */
export async function findResponseFile(
  { binaries, store }: ResponseFiles,
  id: string,
  executionId: ExecutionId,
): Promise<ResponseFile & { fileName: string }> {
  const binary = await binaries.findReadable(id, executionId);
  if (!binary) throw new NoResponseError('NO_ANSWER', 'the file of the response does not exist', executionId);
  const { mimeType, size, fileName } = binary;
  return { mimeType, size, fileName: fileName ?? 'file', open: () => store.open(binary.id) };
}

/**
 * A handler that completes refusals with the headers for a retry, and responds itself if the
 * workflow does not respond.
 */
export function withRefusals(handle: (request: Request, response: Response) => Promise<void>): RequestHandler {
  return async (request, response) => {
    try {
      await handle(request, response);
    } catch (error) {
      setRefusalHeaders(error, response);
      if (!(error instanceof NoResponseError)) throw error;
      sendNoResponse(error, response);
    }
  };
}

/** Sends a failure of the workflow: the response names the execution, and hides the cause. */
export function sendNoResponse(error: NoResponseError, response: Response): void {
  const { requestId } = requestState(response.req);
  const status = statusOf(error.code) ?? 500;
  if (isTemporary(status)) setRetryAfter(response);
  response.status(status).json({ ...toErrorBody(error, requestId), executionId: error.executionId });
}

/** Pages that workflows return run without an origin, so their scripts cannot reach this one. */
const sandboxed = 'sandbox allow-downloads allow-forms allow-modals allow-popups allow-scripts';

type ResponseHead = Pick<WebhookResponse, 'status' | 'headers'>;

/** A file that is sent as a response. */
export interface ResponseFile {
  mimeType: string;
  /** Bytes. */
  size: number;
  /** Makes the file a download of this name. */
  downloadName?: string;
  open(): Promise<Readable>;
}

/**
 * Sends a response. `file`: its content, if its body is a file. If the content cannot be opened,
 * rejects without changing the response, so that the error can be sent.
 */
export async function sendWebhookResponse(
  response: Response,
  { status, headers, body }: WebhookResponse,
  file?: ResponseFile,
): Promise<void> {
  if (body.kind === 'file') {
    disconnectStalled(response);
    if (file) await sendFileResponse(response, { status, headers }, file);
    return;
  }
  setResponseHead(response, { status, headers });
  switch (body.kind) {
    case 'none':
      response.end();
      return;
    case 'json':
      sendText(response, JSON.stringify(body.json ?? null), 'application/json; charset=utf-8');
      return;
    case 'text':
      sendText(response, body.text, 'text/html; charset=utf-8');
      return;
    case 'bytes':
      sendBytes(response, Buffer.from(body.base64, 'base64'), 'application/octet-stream');
      return;
    case 'page':
      sendText(response, renderPage(completionView(body)), 'text/html; charset=utf-8');
  }
}

/** Sets the status and the allowed headers of a response. */
export function setResponseHead(response: Response, { status, headers }: ResponseHead): void {
  response.status(status);
  const cookiePath: string | undefined = response.locals['cookiePath'];
  for (const [name, value] of allowedHeaders(headers, cookiePath)) response.setHeader(name, value);
  response.setHeader('Content-Security-Policy', sandboxed);
}

function sendText(response: Response, text: string, type: string): void {
  sendBytes(response, Buffer.from(text), type);
}

/** `type`: unless the workflow sets one. */
function sendBytes(response: Response, bytes: Buffer, type: string): void {
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', type);
  if (mayHaveBody(response)) response.setHeader('Content-Length', bytes.length);
  else response.removeHeader('Content-Type');
  if (!mayHaveBody(response) || response.req.method === 'HEAD') {
    response.end();
    return;
  }
  countUnread(response, bytes.length);
  response.end(bytes);
  disconnectStalled(response);
}

async function sendFileResponse(response: Response, head: ResponseHead, file: ResponseFile): Promise<void> {
  const isSent = mayHaveBody({ statusCode: head.status }) && response.req.method !== 'HEAD';
  const content = isSent ? await file.open() : undefined;
  try {
    describeFileResponse(response, head, file);
    if (content) await pipeToClient(content, response);
    else response.end();
  } catch (error) {
    content?.destroy();
    throw error;
  }
}

function describeFileResponse(response: Response, head: ResponseHead, { mimeType, size, downloadName }: ResponseFile): void {
  if (downloadName !== undefined) response.attachment(downloadName);
  setResponseHead(response, head);
  if (!response.hasHeader('Content-Type'))
    response.setHeader('Content-Type', hasOwnHeaders(mimeType) ? 'application/octet-stream' : mimeType);
  if (mayHaveBody(response)) response.setHeader('Content-Length', size);
}

function mayHaveBody({ statusCode }: Pick<Response, 'statusCode'>): boolean {
  return statusCode !== 204 && statusCode !== 205 && statusCode !== 304;
}

/*
 * Headers that a workflow may set. The server sets all others, since it serves more than workflows
 * at this origin.
 */

/** Headers that occur once in a response. */
const single = new Set([
  'access-control-allow-origin',
  'access-control-max-age',
  'age',
  'content-disposition',
  'content-location',
  'content-range',
  'content-type',
  'deprecation',
  'etag',
  'expires',
  'idempotency-key',
  'last-modified',
  'location',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'refresh',
  'retry-after',
  'sunset',
]);

const repeatable = new Set([
  'accept-ranges',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-expose-headers',
  'allow',
  'cache-control',
  'cdn-cache-control',
  'content-encoding',
  'content-language',
  'link',
  'pragma',
  'ratelimit',
  'ratelimit-policy',
  'server-timing',
  'set-cookie',
  'signature',
  'signature-input',
  'vary',
  'warning',
  'www-authenticate',
]);

/** Prefixes of application headers. */
const applicationHeader = /^(?:hx|mcp|webhook|x)-[a-z\d_-]+$/;

/**
 * Application headers that proxies, browsers or this server act on. Proxies send other files
 * instead of the response (nginx, LiteSpeed, lighttpd, Apache, h2o), or stop forwarding requests to
 * this process (Envoy).
 */
const reserved =
  /^x-(?:accel-(?!buffering$)|content-|dns-prefetch-|download-|envoy-|forwarded|frame-|lighttpd-|litespeed-|permitted-|powered-by$|real-ip$|reproxy-|request-id$|sendfile|webkit-csp$|xss-)/;

/**
 * The allowed headers of a response. Invalid characters become spaces; of several values for a
 * single header, the last one counts. A type whose parts have headers of their own is omitted. The
 * service's cookies are omitted: with such a cookie, a page could complete the connection of a
 * credential that another browser started. Other cookies are for `cookiePath` (`cookiePathOf`).
 */
export function allowedHeaders(
  headers: ResponseHeaders,
  cookiePath: string | undefined,
): [name: string, value: string | string[]][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string | string[]][] => {
    if (!isAllowed(name.toLowerCase())) return [];
    if (name.toLowerCase() === 'set-cookie') return foreignCookies(name, [value].flat(), cookiePath);
    if (name.toLowerCase() === 'content-type' && [value].flat().some((type) => hasOwnHeaders(clean(type)))) return [];
    if (typeof value !== 'object') return [[name, clean(value)]];
    return [[name, single.has(name.toLowerCase()) ? clean(value.at(-1) ?? '') : value.map(clean)]];
  });
}

function foreignCookies(name: string, values: readonly string[], cookiePath: string | undefined): [string, string[]][] {
  if (cookiePath === undefined) return [];
  const cookies = values
    .map(clean)
    .filter((cookie) => !isOwnCookie(cookie))
    .map((cookie) => confinedCookie(cookie, cookiePath));
  return cookies.length === 0 ? [] : [[name, cookies]];
}

/** Whether browsers read headers in the body of this type, such as any `Set-Cookie`. */
function hasOwnHeaders(type: string): boolean {
  return /multipart\s*\/\s*x-mixed-replace/i.test(type);
}

function clean(value: string): string {
  return String(value).replace(/[^\t\x20-\x7e\x80-\xff]/g, ' ');
}

function isAllowed(name: string): boolean {
  return single.has(name) || repeatable.has(name) || (applicationHeader.test(name) && !reserved.test(name));
}
