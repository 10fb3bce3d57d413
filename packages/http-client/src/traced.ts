import { tracing } from '@sluice/domain';
import type { HttpRequest, HttpStreamedResponse } from '@sluice/node-sdk';

type Read<T> = (response: HttpStreamedResponse) => Promise<T>;

/**
 * Sends a request in a span, with the span's `traceparent` unless the request already has one. The
 * span has the origin but not the path, which may contain secrets.
 */
export function traced<T>(
  request: HttpRequest,
  read: Read<T>,
  send: (request: HttpRequest, read: Read<T>) => Promise<T>,
): Promise<T> {
  const { tracer } = tracing;
  if (!tracer) return send(request, read);
  const { method } = request;
  const attributes = { 'http.request.method': method, 'server.address': URL.parse(request.url)?.host ?? 'invalid' };
  return tracer.span({ name: method, kind: 'client', attributes }, (span) => {
    const readStatus: Read<T> = (response) => {
      span.set('http.response.status_code', response.status);
      if (response.status >= 400) span.fail(String(response.status));
      return read(response);
    };
    return send(withTraceparent(request, tracer.current()), readStatus);
  });
}

function withTraceparent(request: HttpRequest, traceparent: string | undefined): HttpRequest {
  const { headers = {} } = request;
  const hasOne = Object.keys(headers).some((name) => name.toLowerCase() === 'traceparent');
  return hasOne || traceparent === undefined ? request : { ...request, headers: { ...headers, traceparent } };
}
