import { beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { communityBench, type NodeCredentials, secret } from './support/community-bench.ts';
import type { RecordedRequest, RecordedResponse } from './support/recording-server.ts';
import { expectStatus } from './support/runs.ts';

const firecrawl = '@mendable/n8n-nodes-firecrawl';
const evolution = 'n8n-nodes-evolution-api';
const bench = await communityBench();

const bodyOf = ({ body }: RecordedRequest) => JSON.parse(body.toString('utf8'));
/** A response that echoes a header of the request, as careless services do. */
const echoing =
  (header: string, body: object) =>
  ({ headers }: RecordedRequest): RecordedResponse => ({ body: { ...body, echo: headers[header] } });

(bench.installed.length > 0 ? test : test.skip)('installed packages are loaded and described by the API', async () => {
  const { data } = expectStatus(await bench.service.call('GET', '/node-packages'), 200);
  const expected = bench.installed.map((name) => expect.objectContaining({ name, status: 'loaded', reason: null }));
  expect(data).toEqual(expect.arrayContaining(expected));
  for (const { nodeTypes } of data) {
    for (const type of nodeTypes) {
      expect((await bench.service.call('GET', `/node-types/${encodeURIComponent(type)}`)).body).toMatchObject({ type });
    }
  }
});

bench.describePackage(firecrawl, 'declarative', () => {
  const type = `${firecrawl}.firecrawl`;
  let credentials: NodeCredentials;
  beforeAll(async () => {
    credentials = await bench.createCredential('firecrawlApi', { baseUrl: `${bench.remote.url}/v2`, apiKey: secret });
  });

  test('typed parameters become one request per item, and the response becomes items', async () => {
    bench.remote.respond('POST /v2/map', echoing('authorization', { success: true, links: [{ url: 'https://a.example/x' }] }));
    const parameters = { resource: 'MapSearch', operation: 'map', url: '={{ $json.site }}', limit: 7, includeSubdomains: true };
    const { status, items } = await bench.runNode({ type, parameters, credentials }, [
      { site: 'https://a.example' },
      { site: 'https://b.example' },
    ]);
    expect(status).toBe('success');
    const common = { sitemap: 'include', includeSubdomains: true, limit: 7, timeout: 10_000, integration: 'n8n' };
    expect(bench.remote.requests.map(bodyOf)).toEqual([
      { url: 'https://a.example', ...common },
      { url: 'https://b.example', ...common },
    ]);
    expect(bench.remote.requests[0]).toMatchObject({
      method: 'POST',
      path: '/v2/map',
      headers: {
        authorization: `Bearer ${secret}`,
        accept: 'application/json',
        'content-type': expect.stringMatching(/^application\/json/),
      },
    });
    expect(items.map(({ pairedItem }: { pairedItem: unknown }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
    expect(items[0].json).toMatchObject({ success: true, links: [{ url: 'https://a.example/x' }] });
  });

  test('an expression can return the whole body, and a function can change it before it is sent', async () => {
    bench.remote.respond('POST /v2/scrape', { body: { success: true } });
    const scrapeOptions = { options: { formats: { format: [{ type: 'markdown' }] }, onlyMainContent: false, waitFor: 250 } };
    const parameters = { resource: 'Scraping', operation: 'scrape', url: 'https://a.example', parsers: ['pdf'], scrapeOptions };
    const { status } = await bench.runNode({ type, parameters, credentials });
    expect(status).toBe('success');
    expect(bench.remote.requests.map(bodyOf)).toEqual([
      expect.objectContaining({ formats: ['markdown'], onlyMainContent: false, waitFor: 250, parsers: [{ type: 'pdf' }] }),
    ]);
  });

  test('a custom body replaces parameters', async () => {
    bench.remote.respond('POST /v2/map', { body: { success: true } });
    const customBody = JSON.stringify({ url: 'https://c.example', search: 'docs' });
    const parameters = { resource: 'MapSearch', operation: 'map', useCustomBody: true, customBody };
    await bench.runNode({ type, parameters, credentials });
    expect(bench.remote.requests.map(bodyOf)).toEqual([
      expect.objectContaining({ url: 'https://c.example', search: 'docs', integration: 'n8n' }),
    ]);
  });

  test('a response is transformed as the description of the node defines', async () => {
    bench.remote.respond('GET /v2/crawl/c-1', { body: { status: 'completed', total: 3 } });
    const parameters = { resource: 'Crawling', operation: 'getCrawlStatus', crawlId: 'c-1' };
    const { items } = await bench.runNode({ type, parameters, credentials });
    expect(items[0].json).toEqual({ data: { status: 'completed', total: 3 } });
  });

  test('a function that runs after the response sends more authenticated requests until the job is done', async () => {
    bench.remote.respond('POST /v2/agent', { body: { success: true, id: 'job-1', status: 'processing' } });
    bench.remote.respond('GET /v2/agent/job-1', { body: { status: 'completed', data: { founders: ['Ann'] } } });
    const parameters = { resource: 'Agent', operation: 'agent', prompt: 'Who founded it?' };
    const { items } = await bench.runNode({ type, parameters, credentials });
    expect(items[0].json).toEqual({ status: 'completed', data: { founders: ['Ann'] } });
    const calls = bench.remote.requests.map(({ method, path, headers }) => [method, path, headers.authorization]);
    expect(calls).toEqual([
      ['POST', '/v2/agent', `Bearer ${secret}`],
      ['GET', '/v2/agent/job-1', `Bearer ${secret}`],
    ]);
  });

  test('a 402 response fails the run with a message', async () => {
    bench.remote.respond('POST /v2/map', { status: 402, body: { success: false, error: 'Insufficient credits' } });
    const parameters = { resource: 'MapSearch', operation: 'map', url: 'https://a.example' };
    const failed = await bench.runNode({ type, parameters, credentials });
    expect(failed.status).toBe('error');
    expect(failed.error).toMatchObject({
      code: 'NODE_API_ERROR',
      message: expect.stringContaining('402'),
      details: { status: 402, body: expect.stringContaining('Insufficient credits') },
    });
  });

  test('a failed item becomes its error if the node continues on errors, and other items are kept', async () => {
    bench.remote.respond('POST /v2/map', (request) =>
      bodyOf(request).url === 'https://b.example' ? { status: 500, body: { error: 'oh' } } : { body: { ok: true } },
    );
    const parameters = { resource: 'MapSearch', operation: 'map', url: '={{ $json.site }}' };
    const node = { type, parameters, credentials, onError: 'continueRegularOutput' as const };
    const { status, items } = await bench.runNode(node, [{ site: 'https://a.example' }, { site: 'https://b.example' }]);
    expect(status).toBe('success');
    expect(items.map((item: { json: JsonObject }) => Object.keys(item.json))).toEqual([['ok'], ['error']]);
  });

  test('the credential test sends the request that the credential type defines', async () => {
    bench.remote.respond('GET /v2/team/credit-usage', { body: { success: true } });
    expect(await bench.testCredential('firecrawlApi', credentials)).toMatchObject({ status: 'success' });
    expect(bench.remote.requests[0]?.headers.authorization).toBe(`Bearer ${secret}`);
    bench.remote.respond('GET /v2/team/credit-usage', { status: 401, body: {} });
    expect(await bench.testCredential('firecrawlApi', credentials)).toMatchObject({ status: 'error' });
  });
});

bench.describePackage(evolution, 'programmatic', () => {
  const type = `${evolution}.evolutionApi`;
  const sendText = {
    resource: 'messages-api',
    operation: 'send-text',
    instanceName: 'inbox',
    remoteJid: '={{ $json.to }}',
    messageText: 'hello',
    options_message: { delay: 1200 },
  };
  let credentials: NodeCredentials;
  beforeAll(async () => {
    credentials = await bench.createCredential('evolutionApi', { 'server-url': bench.remote.url, apikey: secret });
  });

  test('sends a request for each item, with the fields of the credential', async () => {
    bench.remote.respond('POST /message/sendText/inbox', echoing('apikey', { status: 'PENDING' }));
    const { status, items } = await bench.runNode({ type, parameters: sendText, credentials }, [
      { to: '49111' },
      { to: '49222' },
    ]);
    expect(status).toBe('success');
    expect(bench.remote.requests.map(bodyOf)).toEqual([
      { number: '49111', text: 'hello', delay: 1200 },
      { number: '49222', text: 'hello', delay: 1200 },
    ]);
    expect(bench.remote.requests[0]?.headers).toMatchObject({ apikey: secret, 'content-type': 'application/json' });
    expect(items[1].json).toEqual({ success: true, data: { status: 'PENDING', echo: '***REDACTED***' } });
  });

  test('returns a JSON response as data', async () => {
    bench.remote.respond('GET /instance/fetchInstances', { body: [{ name: 'inbox' }] });
    const parameters = { resource: 'instances-api', operation: 'fetch-instances', instanceName: 'inbox' };
    const { items } = await bench.runNode({ type, parameters, credentials });
    expect(bench.remote.requests[0]?.path).toBe('/instance/fetchInstances?instanceName=inbox');
    expect(items[0].json).toEqual({ success: true, data: [{ name: 'inbox' }] });
  });

  test('throws its own error for a 401 response', async () => {
    bench.remote.respond('POST /message/sendText/inbox', { status: 401, body: { error: 'Unauthorized' } });
    const failed = await bench.runNode({ type, parameters: sendText, credentials }, [{ to: '49111' }]);
    expect(failed.status).toBe('error');
    expect(failed.error).toMatchObject({
      message: 'Erro ao enviar mensagem de texto',
      description: expect.stringContaining('401'),
      code: 'NODE_OPERATION_ERROR',
    });
  });

  test('returns its own error item for a failed item', async () => {
    bench.remote.respond('POST /message/sendText/inbox', (request) =>
      bodyOf(request).number === '49222' ? { status: 500, body: {} } : { body: { status: 'PENDING' } },
    );
    const node = { type, parameters: sendText, credentials, onError: 'continueRegularOutput' as const };
    const { status, items } = await bench.runNode(node, [{ to: '49111' }, { to: '49222' }]);
    expect(status).toBe('success');
    expect(items.map((item: { json: JsonObject }) => item.json)).toEqual([
      { success: true, data: { status: 'PENDING' } },
      { success: false, error: expect.objectContaining({ message: 'Erro ao enviar mensagem de texto' }) },
    ]);
  });

  test('a failed item goes to the error output if the node has one', async () => {
    bench.remote.respond('POST /message/sendText/inbox', (request) =>
      bodyOf(request).number === '49222' ? { status: 500, body: {} } : { body: { status: 'PENDING' } },
    );
    const node = { type, parameters: sendText, credentials, onError: 'continueErrorOutput' as const };
    const { status, outputs } = await bench.runNode(node, [{ to: '49111' }, { to: '49222' }]);
    expect(status).toBe('success');
    expect(outputs.map((items: { json: JsonObject }[]) => items.map(({ json }) => json))).toEqual([
      [{ success: true, data: { status: 'PENDING' } }],
      [{ to: '49222', error: expect.anything() }],
    ]);
  });

  test('the credential test evaluates expressions over the fields of the credential', async () => {
    bench.remote.respond('GET /instance/fetchInstances', { body: [] });
    expect(await bench.testCredential('evolutionApi', credentials)).toMatchObject({ status: 'success' });
    expect(bench.remote.requests[0]?.headers['apikey']).toBe(secret);
  });
});
