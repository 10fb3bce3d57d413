import { AppError, codeOf, errorMessage } from '@sluice/domain';

/**
 * The address is not allowed. The message names only the policy, because callers must not learn how
 * a name resolved.
 */
export function blockedError(): AppError {
  return new AppError({
    code: 'HTTP_BLOCKED',
    message: 'this address is not allowed by the policy for outgoing requests (SSRF protection)',
  });
}

export function downgradeError(): AppError {
  return new AppError({ code: 'HTTP_BLOCKED', message: 'a redirect from https to http is not followed' });
}

export function credentialRedirectError(): AppError {
  return new AppError({
    code: 'HTTP_BLOCKED',
    message: 'a redirect that would send the credential to another origin is not followed',
  });
}

export function invalidUrlError(reason: string): AppError {
  return new AppError({ code: 'HTTP_INVALID_URL', message: `the URL cannot be requested: ${reason}` });
}

export function invalidRequestError(reason: string, cause?: unknown): AppError {
  return new AppError({ code: 'HTTP_INVALID_REQUEST', message: `the request cannot be sent: ${reason}`, cause });
}

export function invalidProxyError(): AppError {
  return invalidRequestError('its proxy is not the URL of an HTTP proxy, http or https');
}

export function timeoutError(timeoutMs: number): AppError {
  return new AppError({ code: 'HTTP_TIMEOUT', message: `no complete response within ${timeoutMs} ms`, kind: 'transient' });
}

export function tooLargeError(maxBytes: number): AppError {
  return new AppError({ code: 'HTTP_TOO_LARGE', message: `the response is larger than ${maxBytes} bytes` });
}

export function tooManyRedirectsError(maxRedirects: number): AppError {
  return new AppError({ code: 'HTTP_TOO_MANY_REDIRECTS', message: `more than ${maxRedirects} redirects` });
}

/** Error code of a connection → its reason, for messages. */
export const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', 'the host name cannot be found'],
  ['EAI_AGAIN', 'the host name cannot be looked up right now'],
  ['ECONNREFUSED', 'the connection was refused'],
  ['ECONNRESET', 'the connection was reset'],
  ['ETIMEDOUT', 'the host does not respond'],
  ['EHOSTUNREACH', 'the host cannot be reached'],
  ['ENETUNREACH', 'the network cannot be reached'],
  ['UND_ERR_SOCKET', 'the connection was closed before the response was complete'],
  ['UND_ERR_CONNECT_TIMEOUT', 'no connection within 10 seconds'],
  ['UND_ERR_PRX_CONN', 'the proxy closed the connection'],
  ['UND_ERR_PRX_TLS', 'the certificate of the proxy is for another host'],
  ['UND_ERR_REQ_CONTENT_LENGTH_MISMATCH', 'the body to be sent is not as long as it was said to be'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'the body of the response is not as long as its header says'],
  ['UND_ERR_HEADERS_OVERFLOW', 'the headers of the response are larger than 16 KiB'],
  ['Z_DATA_ERROR', 'the body of the response does not have the encoding that its header names'],
  ['Z_BUF_ERROR', 'the body of the response is not complete'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'the certificate is self-signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'the certificate is not issued by a trusted authority'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'the certificate is not issued by a trusted authority'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate is for another host'],
  ['CERT_HAS_EXPIRED', 'the certificate has expired'],
]);

/**
 * No response, or an incomplete one. Includes the system error code, which indicates the cause, but
 * no address.
 */
export function failedError(error: unknown): AppError {
  const code = errorCode(error);
  const reason = reasons.get(code) ?? (code || errorMessage(error));
  return new AppError({ code: 'HTTP_FAILED', message: `no response: ${reason}`, kind: 'transient', cause: error });
}

export const unknownEndpoint = 'a host name of the service itself cannot be looked up right now';

/**
 * It is unknown whether an address is allowed, because the name of one of the service's endpoints
 * cannot be looked up.
 */
export function unknownEndpointError(cause: unknown): AppError {
  return new AppError({ code: 'HTTP_FAILED', message: `no response: ${unknownEndpoint}`, kind: 'transient', cause });
}

/** The error of a proxy that rejected the request; `undefined` for any other error. */
export function proxyRefusal(error: unknown): AppError | undefined {
  const status = /^Proxy .*\((\d{3})\)/.exec(errorMessage(error))?.[1];
  if (status === undefined) return undefined;
  const reason = status === '407' ? 'the proxy wants a user name and a password' : `the proxy returned ${status}`;
  return new AppError({ code: 'HTTP_FAILED', message: `no response: ${reason}`, kind: 'transient', cause: error });
}

/**
 * `code` of a system error; of the first error if several addresses were tried. Empty for other
 * errors.
 */
export function errorCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return errorCode(error.errors[0]);
  return codeOf(error) ?? '';
}
