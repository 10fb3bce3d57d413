import { setTimeout as delay } from 'node:timers/promises';
import { type JsonObject, type JsonValue, parseJson, stringifyJson } from '@sluice/domain';
import { type ExecuteContext, isJsonObject, NodeOperationError, type TextScope } from '@sluice/node-sdk';
import type { HostPorts } from './host-ports.ts';
import { requestHelpers } from './request-helpers.ts';
import type { LegacyRequestOptions } from './request-options.ts';

/**
 * Pagination of `requestWithAuthenticationPaginated`. Expressions can use `$response` and
 * `$pageCount`, the number of pages so far.
 */
export interface Pagination {
  continue: boolean | string;
  request: JsonObject;
  /** Milliseconds between two requests. */
  requestInterval?: number;
  maxRequests?: number;
}

/** Default page limit per call. */
const maxPages = 1_000;
/**
 * Maximum length of all responses of a call, in characters: they are kept until the last page is
 * read.
 */
const maxLength = 64 * 1024 * 1024;

/**
 * Requests pages one by one, each with the changes of the pagination, and returns the full
 * responses.
 */
export function paginated(context: Pick<ExecuteContext, 'evaluateText'>, ports: HostPorts) {
  const { request, requestWithAuthentication } = requestHelpers(ports);
  return async (
    options: LegacyRequestOptions,
    itemIndex: number,
    pagination: Pagination,
    credentialType?: string,
  ): Promise<unknown[]> => {
    const responses: unknown[] = [];
    let names: JsonObject = { $pageCount: 0, $response: {} };
    let length = 0;
    for (;;) {
      const resolve = (value: JsonValue) => resolved(value, context, itemIndex, { names, parameters: {} });
      const pageRequest = { ...merged(options, await resolve(pagination.request)), resolveWithFullResponse: true };
      const response = await (credentialType === undefined
        ? request(pageRequest)
        : requestWithAuthentication(credentialType, pageRequest));
      responses.push(response);
      const text = await responseText(response, ports.signal);
      length += text.length;
      names = { $pageCount: responses.length, $response: (await parseJson(text, ports.signal)) as JsonValue };
      const goesOn = await resolved(pagination.continue, context, itemIndex, { names, parameters: {} });
      if (goesOn !== true || responses.length === pagination.maxRequests) return responses;
      if (responses.length === maxPages)
        throw new NodeOperationError(`the service has more than ${maxPages} pages`, { itemIndex });
      if (length > maxLength) throw new NodeOperationError("the service's pages contain too much data", { itemIndex });
      await pause(pagination.requestInterval, ports.signal);
    }
  };
}

/** A response as JSON, written in time slices; an empty object for a response that is not JSON. */
async function responseText(response: unknown, signal: AbortSignal): Promise<string> {
  try {
    return (await stringifyJson(response, { signal })) ?? '{}';
  } catch {
    signal.throwIfAborted();
    return '{}';
  }
}

/** Waits between two requests; `ms` comes from the package. */
async function pause(ms: unknown, signal: AbortSignal): Promise<void> {
  if (typeof ms === 'number' && ms > 0) await delay(ms, undefined, { signal });
}

function merged(options: LegacyRequestOptions, laidOver: JsonValue): LegacyRequestOptions {
  if (!isJsonObject(laidOver)) return options;
  const result: Record<string, unknown> = { ...options, ...laidOver };
  for (const part of ['headers', 'qs', 'body'] as const) {
    if (isJsonObject(options[part]) && isJsonObject(laidOver[part])) result[part] = { ...options[part], ...laidOver[part] };
  }
  return result;
}

async function resolved(
  value: JsonValue,
  context: Pick<ExecuteContext, 'evaluateText'>,
  itemIndex: number,
  scope: TextScope,
): Promise<JsonValue> {
  if (typeof value === 'string') {
    return value.startsWith('=') ? ((await context.evaluateText(value, itemIndex, scope)) ?? null) : value;
  }
  if (Array.isArray(value)) return Promise.all(value.map((element) => resolved(element, context, itemIndex, scope)));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(
    async ([key, inner]) => [key, await resolved(inner, context, itemIndex, scope)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}
