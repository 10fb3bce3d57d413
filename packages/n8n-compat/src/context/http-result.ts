import { Readable } from 'node:stream';
import { exceedsDepth, maxDataDepth } from '@sluice/domain';
import type { HttpRequest, HttpResponse } from '@sluice/node-sdk';
import type { RequestPlan } from './request-options.ts';
import type { StreamedResponse } from './streamed-response.ts';

/**
 * Converts a response for a package. For an error status, throws an error in the format of the
 * library that the package knows.
 */
export function resultFor(plan: RequestPlan, request: HttpRequest, response: HttpResponse | StreamedResponse): unknown {
  const body = bodyOf(plan.responseType, response);
  if (!isAccepted(plan, response.status)) throw refusal(request, response, body);
  if (!plan.returnFullResponse) return body;
  const { headers, status: statusCode, statusText: statusMessage } = response;
  return { body, headers, statusCode, statusMessage };
}

/** Whether a package expects a response with this status, rather than an error. */
export function isAccepted({ ignoreHttpStatusErrors: ignores = false }: RequestPlan, status: number): boolean {
  if (status >= 200 && status < 300) return true;
  return typeof ignores === 'boolean' ? ignores : ignores.ignore && !(ignores.except ?? []).includes(status);
}

function bodyOf(kind: RequestPlan['responseType'], { body, headers }: HttpResponse | StreamedResponse): unknown {
  if (body instanceof Readable) return body;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (kind === 'bytes') return bytes;
  if (kind === 'stream') return Readable.from([bytes]);
  const text = bytes.toString();
  if (kind === 'text') return text;
  const type = [headers['content-type'] ?? ''].flat().join();
  return kind === 'auto' && /^(image|audio|video|application\/(pdf|zip|octet-stream))/.test(type) ? text : parsed(text);
}

/** Parses JSON, unless it is nested too deeply for an item. */
function parsed(text: string): unknown {
  if (exceedsDepth(text, maxDataDepth)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Characters of a body in an error message. */
const shownBody = 512;

/**
 * An error with the members of both libraries that packages know: `statusCode` and `error` of the
 * older one, `response.data` of the newer one.
 */
function refusal({ method, url }: HttpRequest, response: HttpResponse | StreamedResponse, body: unknown): Error {
  const { status, statusText, headers } = response;
  const shown = typeof body === 'string' ? body : JSON.stringify(Buffer.isBuffer(body) ? '' : body);
  const message = `Request failed with status code ${status}`;
  return Object.assign(new Error(message), {
    name: 'StatusCodeError',
    code: status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_BAD_RESPONSE',
    status,
    statusCode: status,
    httpCode: String(status),
    error: body,
    options: { method, url },
    config: { method, url },
    description: (shown ?? '').slice(0, shownBody),
    response: { status, statusCode: status, statusText, statusMessage: statusText, headers, data: body, body },
  });
}
