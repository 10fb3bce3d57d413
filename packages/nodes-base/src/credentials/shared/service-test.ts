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

/** Milliseconds for the answer of a service to a test. */
const timeoutMs = 15_000;

const maxResponseBytes = 1024 * 1024;

interface ServiceTest {
  /** The cheap, harmless request that only a valid credential may make. A text: a GET of that URL. */
  request: (data: JsonObject) => string | HttpRequest;
  /** For services that answer 2xx to everybody: what is wrong, or `undefined`. */
  refusal?: (body: unknown) => string | undefined;
}

type Authentication = Pick<CredentialType, 'authenticate' | 'answerChallenge'>;

/** A test by one request with the type's own authentication. */
export function serviceTest(type: Authentication, { request, refusal = () => undefined }: ServiceTest): TestCredential {
  return async (data, ports, signal) => {
    const response = await send(type, request(data), data, ports, signal);
    const refused = isSuccess(response) ? refusal(parsed(response)) : statusMessage(response);
    return refused === undefined ? succeeded() : { status: 'Error', message: refused };
  };
}

/** A test at the address that the credential itself names in `testUrl`. */
export function ownUrlTest(type: Authentication): TestCredential {
  const test = serviceTest(type, { request: (data) => optionalCredentialText(data, 'testUrl') });
  return async (data, ports, signal) => {
    if (optionalCredentialText(data, 'testUrl') !== '') return test(data, ports, signal);
    return { status: 'Error', message: 'there is no way to test this credential: it names no test URL' };
  };
}

export function succeeded(message = 'the connection works'): CredentialTestResult {
  return { status: 'OK', message };
}

/** The JSON of an answer; `undefined`: it is none. */
export function parsed({ body }: HttpResponse): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    return undefined;
  }
}

/** A text field of a JSON answer. */
export function textIn(body: unknown, field: string): string | undefined {
  const value = isJsonObject(body) && Object.hasOwn(body, field) ? body[field] : undefined;
  return typeof value === 'string' ? value.slice(0, 200) : undefined;
}

export function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300;
}

async function send(
  type: Authentication,
  request: string | HttpRequest,
  data: JsonObject,
  ports: AuthenticationPorts,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const asked = typeof request === 'string' ? { method: 'GET', url: request } : request;
  const authentication = httpAuthentication(type, data, ports);
  const limits = { timeoutMs, maxResponseBytes };
  return ports.http.request({ ...limits, ...asked, ...(authentication && { authentication }) }, signal);
}

function statusMessage({ status }: HttpResponse): string {
  return status === 401 || status === 403 ? `the service refused the credential (${status})` : `the service answered ${status}`;
}
