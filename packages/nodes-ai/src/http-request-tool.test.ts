import { createServer } from 'node:http';
import { afterAll, expect, test } from '@jest/globals';
import { listening } from '@sluice/http-client/testing';
import { checkParameters, type JsonObject, type NodeType } from '@sluice/node-sdk';
import { baseNodeTypes, createNodeTypeRegistry } from '@sluice/nodes-base';
import { withAiTypes } from './ai-node-types.ts';
import { aiEngine } from './testing/run-ai.ts';
import { scriptedModel, supplierType } from './testing/scripted-model.ts';

const engine = aiEngine();
const list = [
  { id: 1, secret: 2, at: { city: 'a' } },
  { id: 3, secret: 4, at: { city: 'b' } },
];
const server = await listening(
  createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const json = (value: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
    if (url.pathname === '/page')
      response
        .setHeader('content-type', 'text/html')
        .end('<head><title>t</title></head><nav>menu</nav><p>One <b>bold</b> word<img src="a.png"></p><p>Two</p>');
    else if (url.pathname === '/text') response.setHeader('content-type', 'application/octet-stream').end('many 😀');
    else if (url.pathname === '/list') json(list);
    else if (url.pathname === '/pages') json({ data: [list[Number(url.searchParams.get('page'))]], total: 2 });
    else json({ data: { items: list }, total: 2 });
  }),
);
afterAll(() => Promise.all([engine.close(), server.close()]));
const origin = `http://127.0.0.1:${server.port}`;
const tool = withAiTypes(createNodeTypeRegistry(baseNodeTypes)).find('base.http-requestTool') as NodeType;

/** Result of a tool call, as the model receives it. */
async function resultOf(path: string, parameters: JsonObject, type = 'n8n-nodes-base.httpRequestTool') {
  const all: JsonObject = { url: `${origin}${path}`, optimizeResponse: true, ...parameters };
  expect(checkParameters(tool, all, 4.2)).toEqual([]);
  const model = scriptedModel([{ calls: [{ name: 'Fetch', input: {} }] }, 'done']);
  const run = await engine.run({
    Agent: { type: 'ai.agent', typeVersion: 2 },
    Model: { type: supplierType('model', 'ai_languageModel', () => model), to: { Agent: 'ai_languageModel' } },
    Fetch: { type, typeVersion: 4.2, parameters: all, to: { Agent: 'ai_tool' } },
  });
  return run.uses('Fetch')[0]?.output;
}

test.each<[string, string, JsonObject, unknown]>([
  ['a list in a field', '/', { dataField: 'data.items' }, { response: list }],
  [
    'chosen fields',
    '/',
    { dataField: 'data.items', fieldsToInclude: 'selected', fields: 'id, secret' },
    { response: list.map(({ id, secret }) => ({ id, secret })) },
  ],
  ['nested fields', '/list', { fieldsToInclude: 'selected', fields: 'at.city' }, { response: list.map(({ at }) => ({ at })) }],
  ['all but some fields', '/list', { fieldsToInclude: 'except', fields: 'secret,at' }, { response: [{ id: 1 }, { id: 3 }] }],
  ['an object', '/', { fieldsToInclude: 'selected', fields: 'total' }, { total: 2 }],
])('from JSON, the model gets %s', async (_what, path, parameters, expected) => {
  expect(await resultOf(path, parameters)).toEqual(expected);
});

test.each<[JsonObject, string]>([
  [{}, '<nav>menu</nav><p>One <b>bold</b> word<img src="a.png"></p><p>Two</p>'],
  [{ cssSelector: 'p' }, 'One <b>bold</b> word<img src="a.png">\n\nTwo'],
  [{ onlyContent: true, elementsToOmit: 'nav, img' }, 'One bold word\n\nTwo'],
  [{ cssSelector: 'p', truncateResponse: true, maxLength: 7 }, 'One <b>'],
])('from a page, %j returns %j', async (parameters, data) => {
  expect(await resultOf('/page', { responseType: 'html', ...parameters })).toEqual({ data });
});

test.each([
  [4, 'many'],
  [6, 'many '],
  [7, 'many 😀'],
])('text is truncated to at most %d characters, even if its headers declare a file', async (maxLength, data) => {
  expect(await resultOf('/text', { responseType: 'text', truncateResponse: true, maxLength })).toEqual({ data });
});

test('an invalid selector is explained to the model', async () => {
  expect(await resultOf('/page', { responseType: 'html', cssSelector: 'table' })).toBe(
    'the page has no element for the CSS selector "table"',
  );
});

test('each page of a paginated response is optimized', async () => {
  const pagination = {
    paginationMode: 'updateAParameterInEachRequest',
    parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount }}' }] },
    paginationCompleteWhen: 'other',
    completeExpression: '={{ $response.body.total === $pageCount }}',
  };
  const parameters = { dataField: 'data', fieldsToInclude: 'selected', fields: 'id', options: { pagination: { pagination } } };
  expect(await resultOf('/pages', parameters)).toEqual({ response: [{ id: 1 }, { id: 3 }] });
});

test('a step that is not a tool returns the whole response', async () => {
  const { json } = await engine.run({
    Fetch: {
      type: 'n8n-nodes-base.httpRequest',
      typeVersion: 4.2,
      parameters: { url: `${origin}/`, optimizeResponse: true, dataField: 'data.items' },
    },
  });
  expect(json('Fetch')).toEqual([{ data: { items: list }, total: 2 }]);
});
