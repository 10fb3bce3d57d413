import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createHttpClient } from '@sluice/http-client';
import { type LoopbackServer, listening } from '@sluice/http-client/testing';
import type { JsonObject } from '@sluice/node-sdk';
import { runForJson } from '../../testing/fake-context.ts';
import { httpRequest } from './http-request.ts';

const http = createHttpClient({ ssrfProtection: 'off', ssrfAllow: [] });
const servers: LoopbackServer[] = [];
let received: { home: IncomingMessage[]; away: IncomingMessage[] };
let answer: RequestListener;
let home: string;
let away: string;

async function listen(handle: RequestListener): Promise<string> {
  const server = await listening(createServer(handle));
  servers.push(server);
  return server.url;
}

beforeAll(async () => {
  home = await listen((request, response) => {
    received.home.push(request);
    answer(request, response);
  });
  away = await listen((request, response) => {
    received.away.push(request);
    response.end('{"from":"away"}');
  });
});
beforeEach(() => {
  received = { home: [], away: [] };
  answer = (_, response) => response.end('{"from":"home"}');
});
afterAll(async () => {
  await http.close();
  for (const server of servers) await server.close();
});

function run(type: string, data: JsonObject, parameters: JsonObject = {}) {
  return runForJson(httpRequest, {
    http,
    parameters: { url: home, authentication: 'genericCredentialType', genericAuthType: type, ...parameters },
    credentials: { [type]: data },
  });
}

describe('the HTTP request with a credential', () => {
  test.each<[string, JsonObject, string, Record<string, unknown>]>([
    ['httpBasicAuth', { user: 'u', password: 'p' }, '/', { authorization: 'Basic dTpw' }],
    ['httpBearerAuth', { token: 't' }, '/', { authorization: 'Bearer t' }],
    ['httpCustomAuth', { json: '{"headers":{"x-key":"v"},"qs":{"key":"a b"}}' }, '/?key=a+b', { 'x-key': 'v' }],
    ['httpHeaderAuth', { name: 'X-Key', value: 'v' }, '/', { 'x-key': 'v' }],
    ['httpQueryAuth', { name: 'key', value: 'a b' }, '/?key=a+b', {}],
    ['oAuth2Api', { oauthTokenData: { access_token: 't' } }, '/', { authorization: 'Bearer t' }],
    [
      'oAuth1Api',
      { consumerKey: 'k', consumerSecret: 's' },
      '/',
      { authorization: expect.stringMatching(/^OAuth oauth_consumer_key="k"/) },
    ],
    ['jwtAuth', { secret: 's' }, '/', { authorization: expect.stringMatching(/^Bearer ey/) }],
  ])('of the generic type %s', async (type, data, url, headers) => {
    expect(await run(type, data)).toEqual([{ from: 'home' }]);
    expect(received.home).toMatchObject([{ url, headers }]);
  });

  test('authenticates with a predefined type', async () => {
    const parameters = { authentication: 'predefinedCredentialType', nodeCredentialType: 'openAiApi' };
    await run('openAiApi', { apiKey: 'sk' }, parameters);
    expect(received.home).toMatchObject([{ headers: { authorization: 'Bearer sk' } }]);
  });

  test('responds to a digest challenge, at each hop, including the body', async () => {
    const bodies: string[] = [];
    answer = async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      bodies.push(body);
      const { authorization = '' } = request.headers;
      if (!authorization.includes(`uri="${request.url}"`)) {
        const challenge = `Digest realm="r", nonce="n${request.url}", qop="auth", algorithm=SHA-256`;
        response.writeHead(401, { 'www-authenticate': challenge }).end();
      } else if (request.url === '/') response.writeHead(307, { location: '/next' }).end();
      else response.end('{"from":"next"}');
    };
    const parameters = { method: 'POST', sendBody: true, contentType: 'raw', body: 'text' };
    expect(await run('httpDigestAuth', { user: 'u', password: 'p' }, parameters)).toEqual([{ from: 'next' }]);
    expect(bodies).toEqual(['text', 'text', 'text', 'text']);
  });

  test.each<[string, JsonObject]>([
    ['httpBasicAuth', { user: 'u', password: 'p' }],
    ['httpHeaderAuth', { name: 'X-Key', value: 'secret' }],
    ['httpQueryAuth', { name: 'key', value: 'secret' }],
    ['oAuth2Api', { oauthTokenData: { access_token: 'secret' } }],
    ['httpBearerAuth', { token: 'secret' }],
    ['httpCustomAuth', { json: '{"headers":{"x-key":"secret"},"qs":{"k":"secret"}}' }],
  ])('of type %s is not sent to other hosts, regardless of redirects', async (type, data) => {
    answer = (request, response) => response.writeHead(302, { location: `${away}/there${request.url?.slice(1)}` }).end();
    expect(await run(type, data)).toEqual([{ from: 'away' }]);
    expect(received.away).toHaveLength(1);
    const [{ url = '', headers = {} } = {}] = received.away;
    expect(`${url} ${JSON.stringify(headers)}`).not.toMatch(/secret|authorization|x-key/i);
  });

  test('is refused if the credential may only be sent on, is unknown, or has another purpose', async () => {
    const onward = run('httpHeaderAuth', {}, { options: { sendCredentialsOnCrossOriginRedirect: true } });
    await expect(onward).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
    await expect(run('magicApi', {})).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
    await expect(run('postgres', {})).rejects.toThrow('not for HTTP requests');
    expect(received.home).toEqual([]);
  });

  test('that lacks a field is an error of its item', async () => {
    await expect(run('httpHeaderAuth', { name: 'X-Key' })).rejects.toMatchObject({
      code: 'CREDENTIAL_INCOMPLETE',
      itemIndex: 0,
    });
  });
});
