import {
  AppError,
  type AuthenticateRequest,
  type AuthenticationPorts,
  encodeForm,
  type HttpResponse,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownProperty,
  userKeyed,
  withHeaders,
} from '@sluice/node-sdk';
import { isSuccess, parsed, textIn } from './service-test.ts';

const timeoutMs = 30_000;
const maxResponseBytes = 256 * 1024;

/**
 * Longest margin before expiry in which a token is considered expiring: a request in flight must
 * still arrive in time.
 */
const longestMarginMs = 60_000;

/** Form fields and headers of a token request. */
export interface TokenRequest {
  url: string;
  form: readonly (readonly [string, string])[];
  headers?: Record<string, string>;
}

/**
 * Sends a token request (RFC 6749 §5). Resolves to the primitive values of the response;
 * `expiresAt` is in milliseconds since the epoch if the token expires. Throws
 * `CREDENTIAL_TOKEN_REFUSED`, transient if the endpoint itself fails.
 */
export async function requestToken(
  { url, form, headers }: TokenRequest,
  { http, now }: AuthenticationPorts,
  signal: AbortSignal,
): Promise<JsonObject> {
  const response = await http.request(
    {
      method: 'POST',
      url,
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: await encodeForm(form),
      timeoutMs,
      maxResponseBytes,
    },
    signal,
  );
  const reply = readResponse(response);
  const answer = accessToken(reply) === undefined ? withUserToken(reply) : reply;
  if (!isSuccess(response) || !accessToken(answer)) throw refused(response, answer);
  const plain = Object.entries(answer).filter(([, value]) => typeof value !== 'object');
  const lifetimeMs = Number(answer['expires_in'] ?? Number.NaN) * 1000;
  return userKeyed<JsonValue>([...plain, ...(lifetimeMs > 0 ? [['expiresAt', now() + lifetimeMs] as const] : [])]);
}

/** The stored token; an empty object if no token is stored. */
export function storedToken(data: JsonObject): JsonObject {
  const token = ownProperty(data, 'oauthTokenData');
  return isJsonObject(token) ? token : {};
}

export function accessToken(token: JsonObject): string | undefined {
  const value = ownProperty(token, 'access_token');
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Slack returns the user's token in a member. Without it, the application's token is kept. */
export function withUserToken(token: JsonObject): JsonObject {
  const { authed_user: user, ...application } = token;
  return isJsonObject(user) && accessToken(user) !== undefined ? { ...application, ...user } : token;
}

/** Throws `CREDENTIAL_INCOMPLETE` if no token has been fetched yet. */
export function requiredAccessToken(data: JsonObject): string {
  const token = accessToken(storedToken(data));
  if (token !== undefined) return token;
  throw new AppError({ code: 'CREDENTIAL_INCOMPLETE', message: 'the credential has no access token: it is not connected yet' });
}

/** Adds the token to requests. Throws as `requiredAccessToken` does. */
export const authenticateByToken: AuthenticateRequest = (request, data) =>
  withHeaders(request, [['authorization', `Bearer ${requiredAccessToken(data)}`]]);

/**
 * Whether a token expires within a minute, or within a quarter of its lifetime if that is shorter.
 * False for a token without an expiry.
 */
export function endsSoon(token: JsonObject, nowMs: number): boolean {
  const expiresAt = ownProperty(token, 'expiresAt');
  if (typeof expiresAt !== 'number') return false;
  const lifetimeMs = Number(ownProperty(token, 'expires_in') ?? Number.NaN) * 1000;
  return nowMs >= expiresAt - (lifetimeMs > 0 ? Math.min(longestMarginMs, lifetimeMs / 4) : longestMarginMs);
}

/** The standard requires JSON, but some services return a form. */
function readResponse(response: HttpResponse): JsonObject {
  const json = parsed(response);
  if (isJsonObject(json)) return json;
  return userKeyed(new URLSearchParams(Buffer.from(response.body).toString()));
}

function refused({ status }: HttpResponse, answer: JsonObject): AppError {
  const reasons = [textIn(answer, 'error'), textIn(answer, 'error_description')].filter((text) => text !== undefined);
  const reason = reasons.length === 0 ? '' : `: ${reasons.join(', ')}`;
  return tokenRefused(`the token endpoint returned no token (${status})${reason}`, status);
}

/** The error for a response without the expected token; transient if the service itself failed. */
export function tokenRefused(message: string, status: number): AppError {
  const kind = status >= 500 || status === 429 ? 'transient' : 'expected';
  return new AppError({ code: 'CREDENTIAL_TOKEN_REFUSED', message, kind, details: { status } });
}
