import {
  type AuthenticationPorts,
  type CredentialTestResult,
  type CredentialType,
  type HttpRequest,
  type HttpResponse,
  httpAuthentication,
  isJsonObject,
  type JsonObject,
  optionalCredentialText,
  type TestCredential,
} from '@sluice/node-sdk';

/** Timeout for the service's response in milliseconds. */
const timeoutMs = 15_000;

const maxResponseBytes = 1024 * 1024;

export interface ServiceTest {
  /** A cheap, harmless request that requires a valid credential. A string is the URL of a GET. */
  request: (data: JsonObject) => string | HttpRequest;
  /** For services that always return 2xx: the error in the body, or `undefined`. */
  refusal?: (body: unknown) => string | undefined;
}

type Authentication = Pick<CredentialType, 'authenticate' | 'answerChallenge'>;

/** A credential test that sends one request with the type's own authentication. */
export function serviceTest(type: Authentication, { request, refusal = () => undefined }: ServiceTest): TestCredential {
  return async (data, ports, signal) => {
    const response = await send(type, request(data), data, ports, signal);
    const refused = isSuccess(response) ? refusal(parsed(response)) : statusMessage(response);
    return refused === undefined ? succeeded() : { status: 'Error', message: refused };
  };
}

/** A credential test that requests the credential's `testUrl`. */
export function ownUrlTest(type: Authentication): TestCredential {
  const test = serviceTest(type, { request: (data) => optionalCredentialText(data, 'testUrl') });
  return async (data, ports, signal) => {
    if (optionalCredentialText(data, 'testUrl') !== '') return test(data, ports, signal);
    return { status: 'Error', message: 'this credential cannot be tested: it has no test URL' };
  };
}

export function succeeded(message = 'the connection works'): CredentialTestResult {
  return { status: 'OK', message };
}

/** The response body as JSON; `undefined` if it is not JSON. */
export function parsed({ body }: HttpResponse): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    return undefined;
  }
}

/** A text field in a JSON response. */
export function textIn(body: unknown, field: string): string | undefined {
  const value = isJsonObject(body) && Object.hasOwn(body, field) ? body[field] : undefined;
  return typeof value === 'string' ? value.slice(0, 200) : undefined;
}

export function isSuccess({ status }: Pick<HttpResponse, 'status'>): boolean {
  return status >= 200 && status < 300;
}

async function send(
  type: Authentication,
  request: string | HttpRequest,
  data: JsonObject,
  ports: AuthenticationPorts,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const httpRequest = typeof request === 'string' ? { method: 'GET', url: request } : request;
  const authentication = httpAuthentication(type, data, ports);
  const limits = { timeoutMs, maxResponseBytes };
  return ports.http.request({ ...limits, ...httpRequest, ...(authentication && { authentication }) }, signal);
}

function statusMessage({ status }: HttpResponse): string {
  return status === 401 || status === 403 ? `the service refused the credential (${status})` : `the service returned ${status}`;
}
