import { isAppError } from '@sluice/domain';
import type { HttpAuthentication, HttpRequest, HttpResponse } from '@sluice/node-sdk';
import { NodeApiError } from '../workflow-module/errors.ts';
import { connectionError } from './connection-error.ts';
import type { RequestPorts } from './host-ports.ts';
import { toHttpRequest } from './http-request.ts';
import { isAccepted, resultFor } from './http-result.ts';
import {
  type HttpRequestOptions,
  type LegacyRequestOptions,
  legacyPlanOf,
  planOf,
  type RequestPlan,
} from './request-options.ts';
import { type StreamedResponse, streamedResponse } from './streamed-response.ts';

/**
 * `helpers` that make requests through the guarded client. Credentials are not exposed to the
 * package.
 */
export function requestHelpers(ports: RequestPorts) {
  const send = async (plan: RequestPlan, authentication?: HttpAuthentication): Promise<unknown> => {
    const request = await toHttpRequest(plan, authentication);
    const response = await sendPlanned(ports, plan, request).catch((error: unknown) => {
      ports.signal.throwIfAborted();
      throw connectionError(error);
    });
    return resultFor(plan, request, response);
  };
  /** Packages expect errors of requests with a credential to be node errors. */
  const sendAs = async (type: string, plan: RequestPlan, itemIndex = 0): Promise<unknown> => {
    const authentication = await ports.authentication(type, itemIndex);
    try {
      return await send(plan, authentication);
    } catch (error) {
      ports.signal.throwIfAborted();
      throw Object.assign(new NodeApiError(ports.node, error), {
        response: (error as { response?: unknown }).response,
        cause: error instanceof Error && isAppError(error.cause) ? error.cause : error,
      });
    }
  };
  const legacyAs = (type: string, uriOrOptions: string | LegacyRequestOptions, _options?: unknown, itemIndex?: number) =>
    sendAs(type, legacyPlanOf(uriOrOptions), itemIndex);
  return {
    httpRequest: (options: HttpRequestOptions) => send(planOf(options)),
    /** The type is the first argument; with `call`, the context precedes it. */
    httpRequestWithAuthentication: (type: string, options: HttpRequestOptions) => sendAs(type, planOf(options)),
    request: (uriOrOptions: string | LegacyRequestOptions, options?: LegacyRequestOptions) =>
      send(legacyPlanOf(uriOrOptions, options)),
    requestWithAuthentication: legacyAs,
    requestOAuth1: (type: string, options: string | LegacyRequestOptions) => legacyAs(type, options),
    requestOAuth2: (type: string, options: string | LegacyRequestOptions) => legacyAs(type, options),
  };
}

/** Streams the body on request, if the client supports it. */
async function sendPlanned(
  { http, signal }: Pick<RequestPorts, 'http' | 'signal'>,
  plan: RequestPlan,
  request: HttpRequest,
): Promise<HttpResponse | StreamedResponse> {
  if (plan.responseType !== 'stream' || !http.stream) return http.request(request, signal);
  const streaming = { stream: http.stream.bind(http) };
  return streamedResponse(streaming, request, { signal, accepts: (status) => isAccepted(plan, status) });
}
