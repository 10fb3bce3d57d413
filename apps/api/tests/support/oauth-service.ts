import { createHash, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = { status: number; body: object } | 'never';

/** A service that lets users give tokens, on the loopback. What it is asked is checked as RFC 6749 and RFC 7636 want it. */
export interface OAuthService {
  url: string;
  /** The redirect that a browser gets when its user agrees at this URL. */
  agree(authorizationUrl: string): URL;
  /** How it answers the next request for a token, in place of a good answer. */
  answerNext(answer: Answer): void;
  /** Forms that asked for a token. */
  asked: URLSearchParams[];
  close(): void;
}

export async function startOAuthService(): Promise<OAuthService> {
  const asked: URLSearchParams[] = [];
  const given = new Map<string, URLSearchParams>();
  let next: Answer | undefined;
  const server: Server = createServer(async (request, response) => {
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
    asked.push(form);
    const answer = next ?? tokenFor(form, given);
    next = undefined;
    if (answer === 'never') return;
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    agree(authorizationUrl) {
      const { searchParams } = new URL(authorizationUrl);
      const code = randomUUID();
      given.set(code, searchParams);
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code, state: searchParams.get('state') ?? '' }).toString();
      return back;
    },
    answerNext(answer) {
      next = answer;
    },
    asked,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function tokenFor(form: URLSearchParams, given: Map<string, URLSearchParams>): Answer {
  const code = form.get('code') ?? '';
  const request = given.get(code);
  given.delete(code);
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
