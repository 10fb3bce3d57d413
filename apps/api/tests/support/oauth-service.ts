import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type LoopbackServer, listening } from '@sluice/http-client/testing';

type ApiResponse = { status: number; body: object } | 'never';

/**
 * A loopback service that issues tokens for users, and checks requests as RFC 6749 and RFC 7636
 * require.
 */
export interface OAuthService extends LoopbackServer {
  /** The redirect that a browser gets when its user agrees at this URL. */
  agree(authorizationUrl: string): URL;
  /** Its response to the next token request, in place of a valid one. */
  respondNext(response: ApiResponse): void;
  /** Forms of token requests. */
  tokenRequests: URLSearchParams[];
  /** Tokens that its client revoked (RFC 7009), in order. */
  revoked: { kind: string | null; token: string }[];
}

export async function startOAuthService(): Promise<OAuthService> {
  const tokenRequests: URLSearchParams[] = [];
  const revoked: OAuthService['revoked'] = [];
  const codes = new Map<string, URLSearchParams>();
  let next: ApiResponse | undefined;
  const server: Server = createServer(async (request, response) => {
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
    const isRevocation = request.url?.endsWith('/oauth/revoke') ?? false;
    if (!isRevocation) tokenRequests.push(form);
    const token = next ?? (isRevocation ? revocation(request, form, revoked) : tokenFor(form, codes));
    next = undefined;
    if (token === 'never') return;
    response.writeHead(token.status, { 'content-type': 'application/json' }).end(JSON.stringify(token.body));
  });
  return {
    ...(await listening(server)),
    agree(authorizationUrl) {
      const { searchParams } = new URL(authorizationUrl);
      const code = randomUUID();
      codes.set(code, searchParams);
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code, state: searchParams.get('state') ?? '' }).toString();
      return back;
    },
    respondNext(response) {
      next = response;
    },
    tokenRequests,
    revoked,
  };
}

/** As RFC 7009 §2.1 and §2.2 require: revoking an unknown token succeeds, too. */
function revocation(
  { method, headers }: IncomingMessage,
  form: URLSearchParams,
  revoked: OAuthService['revoked'],
): ApiResponse {
  const token = form.get('token');
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
  if (method !== 'POST' || !isForm || token === null) return { status: 400, body: { error: 'invalid_request' } };
  const client = [form.get('client_id'), form.get('client_secret')].join();
  if (client !== 'the-client,client-secret-4711') return { status: 401, body: { error: 'invalid_client' } };
  revoked.push({ kind: form.get('token_type_hint'), token });
  return { status: 200, body: {} };
}

function tokenFor(form: URLSearchParams, codes: Map<string, URLSearchParams>): ApiResponse {
  const code = form.get('code') ?? '';
  const request = codes.get(code);
  codes.delete(code);
  const challenge = request?.get('code_challenge') ?? null;
  const derivedChallenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const good =
    request?.get('redirect_uri') === form.get('redirect_uri') && (challenge === null || challenge === derivedChallenge);
  if (!good) return { status: 400, body: { error: 'invalid_grant' } };
  return {
    status: 200,
    body: {
      access_token: `token-of-${code}`,
      refresh_token: `refresh-token-of-${code}`,
      token_type: 'Bearer',
      expires_in: 3600,
    },
  };
}
