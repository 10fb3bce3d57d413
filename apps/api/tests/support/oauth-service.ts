import { createHash, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type ApiResponse = { status: number; body: object } | 'never';

/** A service that lets users give tokens, on the loopback. What it is asked is checked as RFC 6749 and RFC 7636 want it. */
export interface OAuthService {
  url: string;
  /** The redirect that a browser gets when its user agrees at this URL. */
  agree(authorizationUrl: string): URL;
  /** Its response to the next token request, in place of a valid one. */
  respondNext(response: ApiResponse): void;
  /** Forms that asked for a token. */
  asked: URLSearchParams[];
  close(): void;
}

export async function startOAuthService(): Promise<OAuthService> {
  const tokenRequests: URLSearchParams[] = [];
  const codes = new Map<string, URLSearchParams>();
  let next: ApiResponse | undefined;
  const server: Server = createServer(async (request, response) => {
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
    tokenRequests.push(form);
    const token = next ?? tokenFor(form, codes);
    next = undefined;
    if (token === 'never') return;
    response.writeHead(token.status, { 'content-type': 'application/json' }).end(JSON.stringify(token.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
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
    asked: tokenRequests,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function tokenFor(form: URLSearchParams, codes: Map<string, URLSearchParams>): ApiResponse {
  const code = form.get('code') ?? '';
  const request = codes.get(code);
  codes.delete(code);
  const challenge = request?.get('code_challenge') ?? null;
  const shown = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const good = request?.get('redirect_uri') === form.get('redirect_uri') && (challenge === null || challenge === shown);
  if (!good) return { status: 400, body: { error: 'invalid_grant' } };
  return {
    status: 200,
    body: { access_token: `token-of-${code}`, refresh_token: 'r', token_type: 'Bearer', expires_in: 3600 },
  };
}
