import type { JsonObject } from '@sluice/domain';
import type { AuthenticationPorts, CredentialPorts } from '../access/ports.ts';
import type { NodeProperty } from '../description.ts';
import type { HttpRequest, HttpResponse } from '../http/http.ts';

/**
 * Authentication as data. `{field}` is replaced by the text of that credential field, in names and
 * values. No other syntax is evaluated. An absent or empty field is an error that names it.
 */
export interface AuthenticationTemplate {
  /** Headers; they replace headers of the same name. */
  headers?: Readonly<Record<string, string>>;
  /** Query parameters; they replace parameters of the same name. */
  query?: Readonly<Record<string, string>>;
  /**
   * HTTP Basic (RFC 7617), in UTF-8. Fields may be empty, because some services expect a key in one
   * and nothing in the other.
   */
  basic?: { readonly user: string; readonly password: string };
  /** Top-level fields of a JSON or URL-encoded body. A request without such a body is an error. */
  body?: Readonly<Record<string, string>>;
}

/**
 * Returns the request with authentication and does not change the original. May call a token
 * endpoint.
 */
export type AuthenticateRequest = (
  request: HttpRequest,
  data: JsonObject,
  ports: AuthenticationPorts,
  signal: AbortSignal,
) => HttpRequest | Promise<HttpRequest>;

/**
 * Returns the request that responds to a 401 (digest), or `undefined` if the credential cannot
 * answer the challenge. Called at most twice per request, because servers may declare a nonce
 * stale.
 */
export type AnswerChallenge = (
  request: HttpRequest,
  response: HttpResponse,
  data: JsonObject,
  ports: AuthenticationPorts,
) => HttpRequest | undefined;

/** Result of a credential test, as in the contract. The message never contains a secret. */
export interface CredentialTestResult {
  status: 'OK' | 'Error';
  message: string;
}

/**
 * Tests a credential at the service, for at most 30 seconds. A failure is a result, not an error;
 * only the reason of the signal is thrown. Does not renew tokens that the service may rotate: the
 * caller passes data that `renewal` considers fresh.
 */
export type TestCredential = (data: JsonObject, ports: CredentialPorts, signal: AbortSignal) => Promise<CredentialTestResult>;

/**
 * Tokens that expire. The caller ensures that only one process at a time renews a credential, that
 * the complete result is stored before use (services may rotate the refresh token), and that others
 * read the stored result.
 */
export interface TokenRenewal {
  /** Whether the token is missing or about to expire, and can be renewed. */
  isDue(data: JsonObject, nowMs: number): boolean;
  /**
   * Returns the complete data with the new token in `oauthTokenData` (`access_token`, `token_type`,
   * `refresh_token`, and `expiresAt` in milliseconds since the epoch). Throws
   * `CREDENTIAL_TOKEN_REFUSED`, `CREDENTIAL_INCOMPLETE`, and the errors of `HttpClient`.
   */
  renew(data: JsonObject, ports: CredentialPorts, signal: AbortSignal): Promise<JsonObject>;
  /**
   * A 401 means that the token expired early: it is renewed once, and the request is repeated once.
   */
  readonly afterRefusal?: boolean;
}

/** Parameters of the redirect back from the service. */
export interface ConsentRequest {
  /** Where the service redirects the user's browser, with a code. */
  redirectUri: string;
  /** An unguessable value that is returned with the code. */
  state: string;
}

/** Tokens that a user grants in the browser at the service (OAuth 2, authorization code). */
export interface UserConsent {
  /**
   * Returns the URL for the user's browser, and the secret state to store until the redirect.
   * `undefined`: these data need no consent. Throws `CREDENTIAL_INCOMPLETE`.
   */
  begin(
    data: JsonObject,
    request: ConsentRequest,
    ports: Pick<AuthenticationPorts, 'randomBytes'>,
  ): { url: string; consentState: JsonObject } | undefined;
  /**
   * Returns the complete data with the token in `oauthTokenData`, as `TokenRenewal.renew` does.
   * Throws `CREDENTIAL_INCOMPLETE` (also if the data changed since the consent started),
   * `CREDENTIAL_TOKEN_REFUSED`, and the errors of `HttpClient`. `parameters` are the other text
   * parameters of the redirect, which the user's browser could have changed.
   */
  complete(
    data: JsonObject,
    grant: { code: string; consentState: JsonObject; parameters?: Readonly<Record<string, string>> },
    ports: AuthenticationPorts,
    signal: AbortSignal,
  ): Promise<JsonObject>;
}

/** Revokes tokens at the service that issued them (RFC 7009). */
export interface TokenRevocation {
  /**
   * Name of the authorization that the service revokes as a whole: all tokens that the same user
   * granted to the same client become invalid, including those of other credentials. Absent: only
   * this credential's tokens.
   */
  readonly sharedGrant?: string;
  /** Safe to repeat. Throws the errors of `HttpClient`, and `CREDENTIAL_TOKEN_REFUSED`. */
  revoke(data: JsonObject, ports: AuthenticationPorts, signal: AbortSignal): Promise<void>;
}

/**
 * Fields that the service issues in exchange for other fields, for use in requests, such as a
 * session token.
 */
export interface PreAuthentication {
  /**
   * How long the fields are valid, in milliseconds. After an earlier 401, the fields are requested
   * again once and the request is repeated once.
   */
  readonly validForMs: number;
  /**
   * Requests the fields. They are stored before a request and requested again after they expire. A
   * field is secret if no property declares it, if its property has `typeOptions: { expirable: true
   * }`, or if it is `hidden` with an empty default. Throws the error of the service, from
   * `HttpClient` or as an `Error`.
   */
  obtain(data: JsonObject, ports: AuthenticationPorts, signal: AbortSignal): Promise<JsonObject>;
}

/** A credential type as its author writes it; `defineCredentialType` derives the rest. */
export interface CredentialTypeDefinition {
  /** The contract's identifier: `httpBasicAuth`. */
  name: string;
  displayName: string;
  /** URL of the service's documentation of these credentials. */
  documentation?: string;
  /** Names of parent types: see `inheritCredentialTypes`. */
  extends?: readonly string[];
  /** The fields of `data`. Secrets have `typeOptions: { password: true }`. */
  properties: readonly NodeProperty[];
  /** Absent: not for HTTP requests, or only by challenge. */
  authenticate?: AuthenticationTemplate | AuthenticateRequest;
  answerChallenge?: AnswerChallenge;
  /**
   * Hosts of the service, in the format of `AllowedDomains`. By default, requests carry the
   * credential only to these hosts and only over https. `http://` before a host also permits http,
   * for services with a user-supplied address. A function receives the completed data, for services
   * whose address is a field. Absent or `undefined`: any host.
   */
  hosts?: readonly string[] | ((data: JsonObject) => readonly string[] | undefined);
  renewal?: TokenRenewal;
  /** Short form of `renewal`, which takes precedence. */
  preAuthentication?: PreAuthentication;
  consent?: UserConsent;
  /** Absent: the service has no known revocation endpoint. */
  revocation?: TokenRevocation;
  /**
   * Fills in values that users left empty before nodes receive the data. Absent: the data is used
   * as is.
   */
  complete?: (data: JsonObject) => JsonObject;
  /**
   * Field with the URL of an instance that has the same public API as this service. Empty: this
   * service's URL, which nodes cannot reach otherwise.
   */
  ownApiField?: string;
  /**
   * Field with the API key, for requests to this service, which reads the key from the header named
   * by its setting `API_KEY_HEADER`.
   */
  ownApiKeyField?: string;
  /**
   * Explains why data that match the schema will not work, or not reliably; `undefined` if they
   * will. Called before the data is saved.
   */
  problemOf?: (data: JsonObject) => string | undefined;
  /** May throw: the error becomes the message of an `Error` result. */
  test?: TestCredential;
}

/** A credential type: its fields, its secret fields, and its functions. */
export interface CredentialType extends CredentialTypeDefinition {
  /**
   * JSON Schema 2020-12 of `data`. Unknown fields are allowed, because the format gains fields with
   * each release.
   */
  readonly schema: JsonObject;
  /**
   * Fields whose values are never shown. Treat fields that the schema does not list as secret, too.
   */
  readonly secretFields: readonly string[];
}
