import { createServer } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { afterAll, expect, test } from '@jest/globals';
import { listening } from '@sluice/http-client/testing';
import { checkParameters, type JsonObject } from '@sluice/node-sdk';
import { type AiNode, aiEngine } from '../../testing/run-ai.ts';
import { scriptedModel, supplierType } from '../../testing/scripted-model.ts';
import { toolHttpRequest } from './tool-http-request.ts';

const engine = aiEngine({ c1: { name: 'x-key', value: 'secret-1' } });
const received: { method: string; url: string; key: unknown; body: string }[] = [];
const server = await listening(
  createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    received.push({ method, url, key: headers['x-key'], body: await readText(request) });
    if (url.startsWith('/page'))
      response.end('<head><title>t</title></head><nav>menu</nav><p>One <b>bold</b> word<img src="a.png"></p><p>Two</p>');
    else if (url.startsWith('/fail')) response.writeHead(404).end('no such thing');
    else response.setHeader('content-type', 'application/json').end('{"data":{"items":[{"id":1,"secret":2}]}}');
  }),
);
afterAll(() => Promise.all([engine.close(), server.close()]));
const origin = `http://127.0.0.1:${server.port}`;

async function call(parameters: JsonObject, input: JsonObject, rest: Partial<AiNode> = {}) {
  received.length = 0;
  const model = scriptedModel([{ calls: [{ name: 'Fetch', input }] }, 'done']);
  const run = await engine.run({
    Agent: { type: 'ai.agent', typeVersion: 2 },
    Model: { type: supplierType('model', 'ai_languageModel', () => model), to: { Agent: 'ai_languageModel' } },
    Fetch: { type: '@n8n/n8n-nodes-langchain.toolHttpRequest', parameters, to: { Agent: 'ai_tool' }, ...rest },
  });
  return { ...run, tool: model.requests[0]?.tools?.[0], output: run.uses('Fetch')[0]?.output };
}

test('placeholders and fields are arguments for the model; the credential is attached', async () => {
  const parameters: JsonObject = {
    url: `${origin}/of/{city}`,
    method: 'POST',
    authentication: 'genericCredentialType',
    genericAuthType: 'httpHeaderAuth',
    sendQuery: true,
    parametersQuery: {
      values: [
        { name: 'unit', valueProvider: 'modelOptional' },
        { name: 'v', valueProvider: 'fieldValue', value: '1' },
      ],
    },
    sendBody: true,
    specifyBody: 'json',
    jsonBody: '{"note": "{note}"}',
    placeholderDefinitions: { values: [{ name: 'note', description: 'a note', type: 'string' }] },
  };
  const { tool, output } = await call(parameters, { city: 'a/b', note: 'say "hi"' }, { credentials: { httpHeaderAuth: 'c1' } });
  expect(tool?.inputSchema).toEqual({
    type: 'object',
    properties: { unit: { type: 'string' }, city: { type: 'string' }, note: { type: 'string', description: 'a note' } },
    required: ['city', 'note'],
  });
  expect(received).toEqual([
    { method: 'POST', url: '/of/a%2Fb?v=1', key: 'secret-1', body: JSON.stringify({ note: 'say "hi"' }) },
  ]);
  expect(output).toEqual({ data: { items: [{ id: 1, secret: 2 }] } });
});

test('an optimized response contains the selected fields of the data', async () => {
  const parameters = {
    url: origin,
    optimizeResponse: true,
    dataField: 'data.items',
    fieldsToInclude: 'selected',
    fields: 'id',
  };
  expect((await call(parameters, {})).output).toEqual({ response: [{ id: 1 }] });
});

test.each<[JsonObject, unknown]>([
  [{}, '<nav>menu</nav><p>One <b>bold</b> word<img src="a.png"></p><p>Two</p>'],
  [{ cssSelector: 'p' }, 'One <b>bold</b> word<img src="a.png">\n\nTwo'],
  [{ onlyContent: true, elementsToOmit: 'nav, img' }, 'One bold word\n\nTwo'],
  [{ cssSelector: 'p', truncateResponse: true, maxLength: 7 }, 'One <b>'],
  [{ cssSelector: 'table' }, 'the page has no element for the CSS selector "table"'],
  [{ cssSelector: 'p[' }, 'the CSS selector "p[" cannot be used'],
])('from a page, %j returns %j', async (parameters, part) => {
  const page: JsonObject = { url: `${origin}/page`, optimizeResponse: true, responseType: 'html', ...parameters };
  expect(checkParameters(toolHttpRequest, page, 1.1)).toEqual([]);
  const { output } = await call(page, {});
  expect(output).toEqual(String(part).startsWith('the ') ? part : { response: part });
});

test('a service error is returned to the model, and private addresses are rejected', async () => {
  expect((await call({ url: `${origin}/fail` }, {})).output).toBe('the service responded with status 404: no such thing');
  const blocked = await call({ url: 'http://169.254.169.254/x' }, {});
  expect(String(blocked.output)).toMatch(/not allowed|blocked|refused/i);
  expect(blocked.json('Agent')).toEqual([{ output: 'done' }]);
});

test('an argument cannot change the path', async () => {
  const parameters = { url: `${origin}/users/{id}/orders` };
  const { output } = await call(parameters, { id: '..' });
  expect(String(output)).toContain('cannot be part of an address');
  expect(received).toEqual([]);
  await call(parameters, { id: '../admin' });
  expect(received.map(({ url }) => url)).toEqual(['/users/..%2Fadmin/orders']);
});

test('the model writes a URL that is one placeholder, which is still guarded', async () => {
  await call({ url: '{url}' }, { url: `${origin}/find?q=a%20b` });
  expect(received.map(({ url }) => url)).toEqual(['/find?q=a%20b']);
  const { output } = await call({ url: '{url}' }, { url: 'http://169.254.169.254/x' });
  expect(String(output)).toMatch(/not allowed|blocked|refused/i);
});

test('an object argument cannot add query parameters to the URL', async () => {
  const parameters = {
    url: `${origin}/find?filter={filter}`,
    placeholderDefinitions: { values: [{ name: 'filter', type: 'json' }] },
  };
  const filter = { name: 'a&admin=1#' };
  await call(parameters, { filter });
  expect(received.map(({ url }) => url)).toEqual([`/find?filter=${encodeURIComponent(JSON.stringify(filter))}`]);
});
