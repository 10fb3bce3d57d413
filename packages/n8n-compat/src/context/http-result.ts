import { Readable } from 'node:stream';
import { excessOf, maxDataContainers, maxDataDepth, parseJson, stringifyJson, TooManyMembersError } from '@sluice/domain';
import { type HttpRequest, type HttpResponse, headerText, NodeOperationError } from '@sluice/node-sdk';
import type { RequestPlan } from './request-options.ts';
import type { StreamedResponse } from './streamed-response.ts';

/**
 * Converts a response for a package. For an error status, throws an error in the format of the
 * library that the package uses.
 */
export async function resultFor(
  plan: RequestPlan,
  request: HttpRequest,
  response: HttpResponse | StreamedResponse,
): Promise<unknown> {
  const body = await bodyOf(plan.responseType, response);
  if (!isAccepted(plan, response.status)) throw await refusal(request, response, body);
  if (!plan.returnFullResponse) return body;
  const { headers, status: statusCode, statusText: statusMessage } = response;
  return { body, headers, statusCode, statusMessage };
}

/** Whether a package expects a response with this status, rather than an error. */
export function isAccepted({ ignoreHttpStatusErrors: ignores = false }: RequestPlan, status: number): boolean {
  if (status >= 200 && status < 300) return true;
  return typeof ignores === 'boolean' ? ignores : ignores.ignore && !(ignores.except ?? []).includes(status);
}

async function bodyOf(kind: RequestPlan['responseType'], { body, headers }: HttpResponse | StreamedResponse): Promise<unknown> {
  if (body instanceof Readable) return body;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (kind === 'bytes') return bytes;
  if (kind === 'stream') return Readable.from([bytes]);
  const text = bytes.toString();
  if (kind === 'text') return text;
  const type = headerText(headers, 'content-type');
  return kind === 'auto' && /^(image|audio|video|application\/(pdf|zip|octet-stream))/.test(type) ? text : parsed(text);
}

/**
 * Parses JSON in time slices, unless it is nested too deeply for an item, or has too many lists and
 * objects.
 */
async function parsed(text: string): Promise<unknown> {
  if (await excessOf(text, maxDataDepth, maxDataContainers)) return text;
  try {
    return await parseJson(text);
  } catch (error) {
    if (error instanceof TooManyMembersError) throw new NodeOperationError(`the response cannot be read: ${error.message}`);
    return text;
  }
}

/** Maximum length of a body in an error message, in characters. */
const maxShownBodyLength = 512;

/**
 * An error with the members that packages expect from both libraries: `statusCode` and `error` of
 * the older one, `response.data` of the newer one.
 */
async function refusal({ method, url }: HttpRequest, response: HttpResponse | StreamedResponse, body: unknown): Promise<Error> {
  const { status, statusText, headers } = response;
  const text = typeof body === 'string' ? body : await stringifyJson(Buffer.isBuffer(body) ? '' : body);
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
    description: (text ?? '').slice(0, maxShownBodyLength),
    response: { status, statusCode: status, statusText, statusMessage: statusText, headers, data: body, body },
  });
}
