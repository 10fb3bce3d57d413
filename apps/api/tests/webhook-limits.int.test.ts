import { afterAll, expect, test } from '@jest/globals';
import { aPath, codeOf, startWebhookFleet } from './support/webhook-fleet.ts';

const fleet = await startWebhookFleet({ RATE_LIMIT_MISS_MAX: '4', TRUST_PROXY: '1' });
afterAll(() => fleet.close());

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
const waiting = (address: string, url = fleet.api.url) => fetch(`${url}/webhook-waiting/1/a-guess`, from(address));

test('a client that guesses too many URLs must wait at every replica; other clients are not affected', async () => {
  const urls = [fleet.api.url, fleet.otherUrl];
  const paths = ['webhook', 'webhook-test', 'webhook', 'webhook-test'];
  for (const [i, base] of paths.entries())
    expect((await fetch(`${urls[i % 2]}/${base}/${aPath()}`, from('10.0.0.1'))).status).toBe(404);
  for (const url of urls) {
    const refused = await waiting('10.0.0.1', url);
    expect([refused.status, await codeOf(refused)]).toEqual([429, 'RATE_LIMITED']);
    expect([refused.headers.get('ratelimit-policy'), Number(refused.headers.get('retry-after'))]).toEqual([
      '"miss";q=4;w=300',
      expect.closeTo(290, -2),
    ]);
  }
  expect((await waiting('10.0.0.2')).status).toBe(404);
});

test('successful requests do not count as misses and are not rejected because of misses', async () => {
  const path = aPath();
  await fleet.activate({ path });
  for (let i = 0; i < 6; i++) expect((await fleet.call(aPath(), from('10.0.0.3'))).status).toBe(i < 4 ? 404 : 429);
  const response = await fleet.call(path, from('10.0.0.3'));
  expect([response.status, response.headers.get('ratelimit')]).toEqual([200, expect.not.stringContaining('miss')]);
});

test('after too many wrong secrets, a client cannot find out which secret is correct; other clients and open webhooks are not affected', async () => {
  const [path, open] = [aPath(), aPath()];
  const { body } = await fleet.api.call('POST', '/credentials', {
    body: { name: 'c', type: 'httpBasicAuth', data: { user: 'me', password: 'right' } },
  });
  const credentials = { httpBasicAuth: { id: body.id } };
  await fleet.activate({ path, authentication: 'basicAuth' }, [], { credentials });
  await fleet.activate({ path: open });
  const guess = async (password: string, address = '10.0.0.6') => {
    const authorization = `Basic ${Buffer.from(`me:${password}`).toString('base64')}`;
    return (await fleet.call(path, { headers: { ...from(address).headers, authorization } })).status;
  };
  const statuses: number[] = [];
  for (const password of ['a', 'b', 'right', 'c', 'd', 'e', 'right']) statuses.push(await guess(password));
  expect(statuses).toEqual([401, 401, 200, 401, 401, 429, 429]);
  expect([(await fleet.call(path, from('10.0.0.6'))).status, (await fleet.call(open, from('10.0.0.6'))).status]).toEqual([
    429, 200,
  ]);
  expect(await guess('right', '10.0.0.7')).toBe(200);
});

test('after too many wrong secrets for a form, a client cannot find out which secret is correct', async () => {
  const path = aPath();
  const { body } = await fleet.api.call('POST', '/credentials', {
    body: { name: 'c', type: 'httpBasicAuth', data: { user: 'me', password: 'right' } },
  });
  const more = { name: 'Form', type: 'base.form-trigger', typeVersion: 2.5, credentials: { httpBasicAuth: { id: body.id } } };
  await fleet.activate({ formTitle: 'Hello', authentication: 'basicAuth', options: { path } }, [], more);
  const guess = async (password: string) => {
    const authorization = `Basic ${Buffer.from(`me:${password}`).toString('base64')}`;
    return (await fetch(`${fleet.api.url}/form/${path}`, { headers: { ...from('10.0.0.8').headers, authorization } })).status;
  };
  const statuses: number[] = [];
  for (const password of ['right', 'a', 'b', 'c', 'd', 'e', 'right']) statuses.push(await guess(password));
  expect(statuses).toEqual([200, 401, 401, 401, 401, 429, 429]);
});

test('a request to a waiting execution is rejected without a lookup after too many guesses of its URL', async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 6; i++) statuses.push((await waiting('10.0.0.4')).status);
  expect(statuses).toEqual([404, 404, 404, 404, 429, 429]);
});

test('after too many guessed form URLs, a client gets an error page without a lookup', async () => {
  const guess = (path: string) => fetch(`${fleet.api.url}/${path}`, from('10.0.0.5'));
  for (const path of ['form/none', 'form-test/none', 'form-waiting/1/a-guess', 'form/none'])
    expect((await guess(path)).status).toBe(404);
  for (const path of ['form/none', 'form-waiting/1/a-guess']) {
    const refused = await guess(path);
    expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await waiting('10.0.0.5')).status).toBe(429);
});
