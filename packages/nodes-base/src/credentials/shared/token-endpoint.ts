import {
  AppError,
  type AuthenticateRequest,
  type AuthenticationPorts,
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

/** The longest time before its end that a token counts as ending: a request on its way has to arrive in time. */
const longestMarginMs = 60_000;

/** What is asked of a token endpoint: fields of the form, and headers. */
export interface TokenRequest {
  url: string;
  form: readonly (readonly [string, string])[];
  headers?: Record<string, string>;
}

/**
 * Asks a token endpoint (RFC 6749 §5). Gives the plain values of its answer, with `expiresAt` in milliseconds since the epoch where the
 * token ends. Throws `CREDENTIAL_TOKEN_REFUSED`, transient where the endpoint has trouble of its own.
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
      body: new URLSearchParams(form.map(([name, value]): [string, string] => [name, value])).toString(),
      timeoutMs,
      maxResponseBytes,
    },
    signal,
  );
  const answer = readAnswer(response);
  if (!isSuccess(response) || !accessToken(answer)) throw refused(response, answer);
  const plain = Object.entries(answer).filter(([, value]) => typeof value !== 'object');
  const lifetimeMs = Number(answer['expires_in'] ?? Number.NaN) * 1000;
  return userKeyed<JsonValue>([...plain, ...(lifetimeMs > 0 ? [['expiresAt', now() + lifetimeMs] as const] : [])]);
}

/** The token that the credential holds; empty: none. */
export function storedToken(data: JsonObject): JsonObject {
  const token = ownProperty(data, 'oauthTokenData');
  return isJsonObject(token) ? token : {};
}

export function accessToken(token: JsonObject): string | undefined {
  const value = ownProperty(token, 'access_token');
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Throws `CREDENTIAL_INCOMPLETE` where nobody has fetched a token yet. */
export function requiredAccessToken(data: JsonObject): string {
  const token = accessToken(storedToken(data));
  if (token !== undefined) return token;
  throw new AppError({ code: 'CREDENTIAL_INCOMPLETE', message: 'the credential has no access token: it is not connected yet' });
}

/** Requests carry the token. Throws as `requiredAccessToken` does. */
export const authenticateByToken: AuthenticateRequest = (request, data) =>
  withHeaders(request, [['authorization', `Bearer ${requiredAccessToken(data)}`]]);

/** Whether a token ends within a margin: a minute, or a quarter of a short life. A token without an end does not. */
export function endsSoon(token: JsonObject, nowMs: number): boolean {
  const expiresAt = ownProperty(token, 'expiresAt');
  if (typeof expiresAt !== 'number') return false;
  const lifetimeMs = Number(ownProperty(token, 'expires_in') ?? Number.NaN) * 1000;
  return nowMs >= expiresAt - (lifetimeMs > 0 ? Math.min(longestMarginMs, lifetimeMs / 4) : longestMarginMs);
}

/** JSON by the standard; some services answer with a form. */
function readAnswer(response: HttpResponse): JsonObject {
  const json = parsed(response);
  if (isJsonObject(json)) return json;
  return userKeyed(new URLSearchParams(Buffer.from(response.body).toString()));
}

function refused(response: HttpResponse, answer: JsonObject): AppError {
  const { status } = response;
  const reasons = [textIn(answer, 'error'), textIn(answer, 'error_description')].filter((text) => text !== undefined);
  const reason = reasons.length === 0 ? '' : `: ${reasons.join(', ')}`;
  return new AppError({
    code: 'CREDENTIAL_TOKEN_REFUSED',
    message: `the token endpoint gave no token (${status})${reason}`,
    kind: status >= 500 || status === 429 ? 'transient' : 'expected',
    details: { status },
  });
}
