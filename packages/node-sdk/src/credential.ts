import type { JsonObject } from '@sluice/domain';
import type { NodeProperty } from './description.ts';
import type { HttpRequest, HttpResponse } from './http.ts';
import type { AuthenticationPorts, CredentialPorts } from './ports.ts';

/**
 * Authentication as data. `{field}` stands for the text of that field of the credential, in names and in values; nothing else is
 * special and nothing is evaluated. A field that is absent or empty is an error that names it.
 */
export interface AuthenticationTemplate {
  /** Headers, in place of those of the same name. */
  headers?: Readonly<Record<string, string>>;
  /** Query parameters, in place of those of the same name. */
  query?: Readonly<Record<string, string>>;
  /** HTTP Basic, RFC 7617, in UTF-8. Here fields may be empty: some services want a key in one of the two and nothing in the other. */
  basic?: { readonly user: string; readonly password: string };
  /** Top-level fields of a JSON or URL-encoded body; a request with any other body, or none, is an error. */
  body?: Readonly<Record<string, string>>;
}

/** Gives the request with authentication, and leaves the one it got as it was. May ask a token endpoint. */
export type AuthenticateRequest = (
  request: HttpRequest,
  data: JsonObject,
  ports: AuthenticationPorts,
  signal: AbortSignal,
) => HttpRequest | Promise<HttpRequest>;

/**
 * Gives the request that answers a 401 (digest), or `undefined` where its challenge is not one that the credential can answer.
 * It is called at most twice per request: servers may declare a nonce stale.
 */
export type AnswerChallenge = (
  request: HttpRequest,
  response: HttpResponse,
  data: JsonObject,
  ports: AuthenticationPorts,
) => HttpRequest | undefined;

/** The contract's answer of a credential test. The message never holds a secret. */
export interface CredentialTestResult {
  status: 'OK' | 'Error';
  message: string;
}

/**
 * Tries a credential out at the service, within half a minute. A failure is a result, not an error; it throws only the reason of its signal. It does not
 * renew tokens that the service may rotate: whoever calls it hands in data that `renewal` found fresh.
 */
export type TestCredential = (data: JsonObject, ports: CredentialPorts, signal: AbortSignal) => Promise<CredentialTestResult>;

/**
 * Tokens that expire. The caller sees to it that at any time one process at most renews a credential, stores the answer whole before
 * anybody uses it (services may rotate the refresh token with each use), and lets all others read what was stored.
 */
export interface TokenRenewal {
  /** Whether the token is missing, or ends so soon that a request might come too late, and can be renewed. */
  isDue(data: JsonObject, nowMs: number): boolean;
  /**
   * The complete data with the new token in `oauthTokenData` (`access_token`, `token_type`, `refresh_token`, and `expiresAt` in
   * milliseconds since the epoch). Throws `CREDENTIAL_TOKEN_REFUSED`, `CREDENTIAL_INCOMPLETE`, and the errors of `HttpClient`.
   */
  renew(data: JsonObject, ports: CredentialPorts, signal: AbortSignal): Promise<JsonObject>;
  /** A 401 says that the token has ended before its time: it is renewed once, and the request made once more. */
  readonly afterRefusal?: boolean;
}

/** What the service is told of the way back. */
export interface ConsentRequest {
  /** Where it sends the user's browser, with a code. */
  redirectUri: string;
  /** Comes back with the code; nobody can guess it. */
  state: string;
}

/** Tokens that a user grants in the browser, at the service itself (OAuth 2, authorization code). */
export interface UserConsent {
  /**
   * Where the user's browser has to go, and what has to be kept, in secret, until it is back. `undefined`: with these data no user is
   * asked. Throws `CREDENTIAL_INCOMPLETE`.
   */
  begin(
    data: JsonObject,
    request: ConsentRequest,
    ports: Pick<AuthenticationPorts, 'randomBytes'>,
  ): { url: string; kept: JsonObject } | undefined;
  /**
   * The complete data with the token in `oauthTokenData`, as `TokenRenewal.renew` gives it. Throws `CREDENTIAL_INCOMPLETE` also when the
   * data are no longer those that the user was asked for, `CREDENTIAL_TOKEN_REFUSED`, and the errors of `HttpClient`.
   */
  complete(
    data: JsonObject,
    answer: { code: string; kept: JsonObject },
    ports: AuthenticationPorts,
    signal: AbortSignal,
  ): Promise<JsonObject>;
}

/** Fields that requests need and that the service gives for the others, such as the token of a session. */
export interface PreAuthentication {
  /** Milliseconds for which they hold, unless a request is answered with 401 before: then they are asked for anew, once, and it is made once more. */
  readonly validForMs: number;
  /**
   * The fields, asked for and stored before a request once they hold no longer. They are secret where no property declares them, where theirs has
   * `typeOptions: { expirable: true }`, and where it is `hidden` with an empty default. Throws what the service says, as
   * `HttpClient` or as an `Error`.
   */
  obtain(data: JsonObject, ports: AuthenticationPorts, signal: AbortSignal): Promise<JsonObject>;
}

/** What the author of a credential type writes; `defineCredentialType` adds what follows from it. */
export interface CredentialTypeSource {
  /** The contract's identifier: `httpBasicAuth`. */
  name: string;
  displayName: string;
  /** URL of the service's own words on these credentials. */
  documentation?: string;
  /** Names of types that this one builds on: see `inheritCredentialTypes`. */
  extends?: readonly string[];
  /** The fields of `data`. Secrets carry `typeOptions: { password: true }`. */
  properties: readonly NodeProperty[];
  /** Absent: not for HTTP requests, or by challenge only. */
  authenticate?: AuthenticationTemplate | AuthenticateRequest;
  answerChallenge?: AnswerChallenge;
  /**
   * Hosts of the service, as `AllowedDomains` lists them: by default requests carry the credential to no other host, and over https
   * only. `http://` before a host also allows http, for services whose address the user gives. A function gets the data as nodes
   * get it, for services whose address is a field. Absent, or `undefined` for these data: any host.
   */
  hosts?: readonly string[] | ((data: JsonObject) => readonly string[] | undefined);
  renewal?: TokenRenewal;
  /** A short form of `renewal`, which has precedence. */
  preAuthentication?: PreAuthentication;
  consent?: UserConsent;
  /** What nodes are given of the data: what nobody has filled in is as the type says. Absent: the data as they are. */
  complete?: (data: JsonObject) => JsonObject;
  /** Why data that the schema lets pass cannot do their work, or would do it badly; `undefined`: they can. Asked before they are saved. */
  problemOf?: (data: JsonObject) => string | undefined;
  /** May throw: what it throws becomes the message of an `Error` result. */
  test?: TestCredential;
}

/** A type of credentials: its fields, which of them are secret, and what can be done with them. */
export interface CredentialType extends CredentialTypeSource {
  /** JSON Schema 2020-12 of `data`. It lets fields pass that it does not know: the format gains some with each release. */
  readonly schema: JsonObject;
  /** Fields never shown. A field that the schema does not know is to be treated as one of them. */
  readonly secretFields: readonly string[];
}
