import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { AppError } from '@sluice/domain';
import type { HttpAuthentication, HttpDestination, HttpRequest } from '@sluice/node-sdk';
import { createHttpClient } from './http-client.ts';
import { type LoopbackServer, listening } from './testing/loopback-server.ts';

const signal = new AbortController().signal;
const client = createHttpClient({ ssrfProtection: 'off', ssrfAllow: [] });

/** Two origins that record received requests. */
const servers: LoopbackServer[] = [];
let received: { home: IncomingMessage[]; away: IncomingMessage[] };
let homeAnswers: RequestListener;
let awayAnswers: RequestListener;

async function listen(handle: RequestListener): Promise<string> {
  const server = await listening(createServer(handle));
  servers.push(server);
  return server.url;
}

const home = await listen((request, response) => {
  received.home.push(request);
  homeAnswers(request, response);
});
const away = await listen((request, response) => {
  received.away.push(request);
  awayAnswers(request, response);
});
beforeEach(() => {
  received = { home: [], away: [] };
  homeAnswers = (_, response) => response.end();
  awayAnswers = (_, response) => response.end();
});
afterAll(async () => {
  await client.close();
  for (const server of servers) await server.close();
});

const withKey: HttpAuthentication = {
  authenticate(request) {
    const url = new URL(request.url);
    url.searchParams.set('key', 's3cr=t');
    return { ...request, url: url.href, headers: { ...request.headers, authorization: `for ${url.pathname}` } };
  },
};

const get = (url: string, authentication: HttpAuthentication, more: Partial<HttpRequest> = {}) =>
  client.request({ method: 'GET', url, authentication, maxRedirects: 5, ...more }, signal);

const redirectTo =
  (location: string): RequestListener =>
  (request, response) =>
    request.url?.startsWith('/start') ? response.writeHead(302, { location }).end() : response.end();

test('each hop within the origin is authenticated separately; the response does not show added values', async () => {
  homeAnswers = redirectTo('/next?a=b');
  const response = await get(`${home}/start?x=1`, withKey);
  expect(received.home.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ['/start?x=1&key=s3cr%3Dt', 'for /start'],
    ['/next?a=b&key=s3cr%3Dt', 'for /next'],
  ]);
  expect(response.url).toBe(`${home}/next?a=b`);
});

test('no part of the credential goes to another origin, even if the location repeats it', async () => {
  homeAnswers = redirectTo(`${away}/there?key=s3cr%3Dt&other=1`);
  await get(`${home}/start`, withKey);
  expect(received.away.map(({ url, headers }) => [url, headers.authorization])).toEqual([['/there?other=1', undefined]]);
});

test('a redirect chain that left the origin returns without the credential', async () => {
  homeAnswers = redirectTo(`${away}/there`);
  awayAnswers = (_, response) => response.writeHead(302, { location: `${home}/back` }).end();
  await get(`${home}/start`, withKey);
  expect(received.home.at(-1)).toMatchObject({
    url: '/back',
    headers: expect.not.objectContaining({ authorization: expect.anything() }),
  });
});

test.each(['/login?return=%2Fstart%3Fkey%3Ds3cr%253Dt%26s3cr%3Dt', '/s3cr%3Dt/'])(
  'a redirect that hides the credential elsewhere in the URL (%s) is not followed',
  async (path) => {
    homeAnswers = redirectTo(`${away}${path}`);
    await expect(get(`${home}/start`, withKey)).rejects.toMatchObject({ code: 'HTTP_BLOCKED' });
    expect(received.away).toEqual([]);
  },
);

test('a redirect to another origin with a path segment added by authentication is not followed', async () => {
  const inPath: HttpAuthentication = {
    authenticate: (request) => ({ ...request, url: `${home}/start/bot1:token/me` }),
  };
  homeAnswers = redirectTo(`${away}/bot1:token/me`);
  await expect(get(`${home}/me`, inPath)).rejects.toMatchObject({ code: 'HTTP_BLOCKED' });
});

test('a redirect to another origin that the credential does not allow is not followed', async () => {
  homeAnswers = redirectTo(`${away}/`);
  const assertRedirectAllowed = ({ url }: HttpDestination) => {
    throw new AppError({ code: 'CREDENTIAL_HOST_NOT_ALLOWED', message: url });
  };
  await expect(get(`${home}/start`, { ...withKey, assertRedirectAllowed })).rejects.toMatchObject({
    code: 'CREDENTIAL_HOST_NOT_ALLOWED',
    message: `${away}/`,
  });
  expect(received.away).toEqual([]);
});

test('authentication must not change the origin', async () => {
  const redirecting: HttpAuthentication = { authenticate: (request) => ({ ...request, url: `${away}/` }) };
  await expect(get(home, redirecting)).rejects.toMatchObject({ code: 'HTTP_INVALID_REQUEST' });
  expect(received.away).toEqual([]);
});

test('a challenge sends the request again, body included', async () => {
  const bodies: string[] = [];
  homeAnswers = async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    bodies.push(`${request.headers.authorization}: ${body}`);
    if (request.headers.authorization === 'answer to q1') response.end('in');
    else response.writeHead(401, { 'www-authenticate': 'q1' }).end('who?');
  };
  const answering: HttpAuthentication = {
    answerChallenge: (request, { headers }) => ({
      ...request,
      headers: { ...request.headers, authorization: `answer to ${headers['www-authenticate']}` },
    }),
  };
  const response = await get(home, answering, { method: 'POST', body: 'text' });
  expect([response.status, Buffer.from(response.body).toString()]).toEqual([200, 'in']);
  expect(bodies).toEqual(['undefined: text', 'answer to q1: text']);
});

test('a challenge gets at most two responses; an unsupported challenge is returned', async () => {
  homeAnswers = (_, response) => response.writeHead(401).end('no');
  const stubborn: HttpAuthentication = { answerChallenge: (request) => request };
  expect((await get(home, stubborn)).status).toBe(401);
  expect(received.home).toHaveLength(3);
  const response = await get(home, { answerChallenge: () => undefined });
  expect(Buffer.from(response.body).toString()).toBe('no');
});

test('a 401 causes one retry with a new session, but no retry if the session cannot be renewed', async () => {
  homeAnswers = ({ headers }, response) => response.writeHead(headers.authorization === 'two' ? 200 : 401).end('x');
  let renewals = 0;
  const withSession = (session: string, next: string | undefined): HttpAuthentication => ({
    authenticate: (request) => ({ ...request, headers: { ...request.headers, authorization: session } }),
    async renewed() {
      renewals += 1;
      return next === undefined ? undefined : withSession(next, 'three');
    },
  });
  const bodies = {
    method: 'POST',
    body: {
      open: async function* () {
        yield Buffer.from('body');
      },
    },
  };
  expect((await get(home, withSession('one', 'two'), bodies)).status).toBe(200);
  expect([received.home.map(({ headers }) => headers.authorization), renewals]).toEqual([['one', 'two'], 1]);
  expect((await get(home, withSession('one', 'other'))).status).toBe(401);
  expect([received.home.length, renewals]).toEqual([4, 2]);
  expect((await get(home, withSession('one', undefined))).status).toBe(401);
  expect([received.home.length, renewals]).toEqual([5, 3]);
});

test.each<[string, HttpAuthentication]>([
  ['a session cannot be renewed', { renewed: () => Promise.reject(new Error('no')) }],
  ['a challenge cannot be answered', { answerChallenge: (request) => ({ ...request, url: away }) }],
])('the connection is released if %s', async (_, authentication) => {
  const closed = new Promise((resolve) => {
    homeAnswers = ({ socket }, response) => {
      socket.once('close', resolve);
      response.writeHead(401).end(Buffer.alloc(5_000_000));
    };
  });
  await expect(get(home, authentication)).rejects.toMatchObject({ code: 'HTTP_INVALID_REQUEST' });
  await closed;
});

test('a single-use body is not sent again with a new session', async () => {
  homeAnswers = (_, response) => response.writeHead(401).end();
  const once = {
    method: 'POST',
    body: {
      open: async function* () {
        yield Buffer.from('x');
      },
      once: true,
    },
  };
  expect((await get(home, { renewed: async () => ({}) }, once)).status).toBe(401);
  expect(received.home.length).toBe(1);
});

test('a credential that is not allowed for a host is rejected before anything is sent', async () => {
  const assertAllowed = ({ url }: HttpDestination) => {
    if (!url.startsWith(home)) throw new AppError({ code: 'CREDENTIAL_HOST_NOT_ALLOWED', message: 'no' });
  };
  for (const authentication of [
    { ...withKey, assertAllowed },
    { assertAllowed, answerChallenge: () => undefined },
  ])
    await expect(get(`${away}/`, authentication)).rejects.toMatchObject({ code: 'CREDENTIAL_HOST_NOT_ALLOWED' });
  expect(received).toEqual({ home: [], away: [] });
  expect((await get(`${home}/`, { ...withKey, assertAllowed })).status).toBe(200);
});
