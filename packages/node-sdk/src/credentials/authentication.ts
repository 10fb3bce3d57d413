import { AppError, type JsonObject, ownProperty, userKeyed } from '@sluice/domain';
import type { AuthenticationPorts } from '../access/ports.ts';
import { unusable, withBodyFields } from '../http/body-fields.ts';
import type { HttpAuthentication, HttpRequest } from '../http/http.ts';
import type { AuthenticationTemplate, CredentialType } from './credential.ts';

/**
 * A credential's authentication for `HttpRequest.authentication`; `undefined` if its type has no
 * authentication.
 */
export function httpAuthentication(
  { authenticate, answerChallenge }: Pick<CredentialType, 'authenticate' | 'answerChallenge'>,
  data: JsonObject,
  ports: AuthenticationPorts,
): HttpAuthentication | undefined {
  if (!authenticate && !answerChallenge) return undefined;
  return {
    ...(authenticate && {
      authenticate: (request, signal) =>
        typeof authenticate === 'function'
          ? authenticate(request, data, ports, signal)
          : applyTemplate(request, authenticate, data),
    }),
    ...(answerChallenge && {
      answerChallenge: (request, response) => answerChallenge(request, response, data, ports),
    }),
  };
}

/**
 * Applies a template. Rejects with `CREDENTIAL_INCOMPLETE` for a missing field, and with
 * `CREDENTIAL_UNUSABLE` if fields cannot be added to the body.
 */
export async function applyTemplate(
  request: HttpRequest,
  template: AuthenticationTemplate,
  data: JsonObject,
): Promise<HttpRequest> {
  const { headers = {}, query = {}, basic, body = {} } = template;
  const fill = (text: string) => filled(text, (field) => credentialText(data, field));
  const fillOrEmpty = (text: string) => filled(text, (field) => optionalCredentialText(data, field));
  const filledPairs = (pairs: Readonly<Record<string, string>>) =>
    Object.entries(pairs).map(([name, value]): [string, string] => [fill(name), fill(value)]);
  let result = withHeaders(request, filledPairs(headers));
  if (basic)
    result = withHeaders(result, [['authorization', basicAuthorization(fillOrEmpty(basic.user), fillOrEmpty(basic.password))]]);
  result = withQuery(result, filledPairs(query));
  return withBodyFields(result, filledPairs(body));
}

/** Replaces headers of the same name, ignoring case. */
export function withHeaders(request: HttpRequest, headers: readonly (readonly [string, string])[]): HttpRequest {
  if (headers.length === 0) return request;
  const replaced = new Set(headers.map(([name]) => name.toLowerCase()));
  const keptHeaders = Object.entries(request.headers ?? {}).filter(([name]) => !replaced.has(name.toLowerCase()));
  return { ...request, headers: userKeyed<string | string[]>([...keptHeaders, ...headers]) };
}

/** Replaces query parameters of the same name. */
export function withQuery(request: HttpRequest, parameters: readonly (readonly [string, string])[]): HttpRequest {
  if (parameters.length === 0) return request;
  const url = new URL(request.url);
  for (const [name, value] of parameters) url.searchParams.set(name, value);
  return { ...request, url: url.href };
}

/**
 * The HTTP Basic header (RFC 7617), in UTF-8. Throws `CREDENTIAL_UNUSABLE` for a user name with a
 * colon, because servers split the value at the first colon.
 */
export function basicAuthorization(user: string, password: string): string {
  if (user.includes(':')) throw unusable('a user name for Basic authentication holds no colon');
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** The text of a credential field. Throws `CREDENTIAL_INCOMPLETE` if it is absent or empty. */
export function credentialText(data: JsonObject, field: string): string {
  const text = optionalCredentialText(data, field);
  if (text === '') {
    throw new AppError({
      code: 'CREDENTIAL_INCOMPLETE',
      message: `the credential lacks the field "${field}"`,
      details: { field },
    });
  }
  return text;
}

/** The text of a credential field; `fallback` if it is absent, empty, or not text. */
export function optionalCredentialText(data: JsonObject, field: string, fallback = ''): string {
  const value = ownProperty(data, field);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : fallback;
}

/**
 * The body of a request that is signed as a whole. Throws `CREDENTIAL_UNUSABLE` for a streamed
 * body.
 */
export function signedBody({ body }: HttpRequest): string | Uint8Array | undefined {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body;
  throw unusable('this credential signs the whole body, which cannot be done while a file is streamed');
}

const fieldPattern = /\{([A-Za-z_]\w*)\}/g;

function filled(text: string, valueFor: (field: string) => string): string {
  return text.replace(fieldPattern, (_, field: string) => valueFor(field));
}

/** The credential fields that a template text refers to. */
export function fieldsNamedBy(text: string): string[] {
  return [...text.matchAll(fieldPattern)].map(([, field = '']) => field);
}
