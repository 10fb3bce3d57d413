import { createServer } from 'node:http';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { listening } from '@sluice/http-client/testing';
import type { JsonObject } from '@sluice/node-sdk';
import { askSubNode } from '../testing/ask-sub-node.ts';
import { type AiNode, aiEngine } from '../testing/run-ai.ts';

let answer: { status?: number; json?: JsonObject; text?: string };
let received: { query: Record<string, string>; path: string; agent: unknown }[];
const server = await listening(
  createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    received.push({ path: pathname, query: Object.fromEntries(searchParams), agent: request.headers['user-agent'] });
    response
      .writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
      .end(answer.text ?? JSON.stringify(answer.json));
  }),
);
const origin = `http://127.0.0.1:${server.port}`;
const engine = aiEngine(
  { key: { apiKey: 'secret-1', appId: 'app-1', apiUrl: `${origin}/` } },
  { 'https://en.wikipedia.org': origin, 'https://serpapi.com': origin, 'https://www.wolframalpha.com': origin },
);
afterAll(() => Promise.all([engine.close(), server.close()]));
beforeEach(() => {
  received = [];
});

async function search(node: AiNode, input: string) {
  const { outcome, json } = await askSubNode(engine, 'ai_tool', node, (tool, signal) => tool.run({ input }, signal));
  return outcome.status === 'error' ? { error: outcome.error } : { result: json('Asker')[0]?.['result'] };
}

describe('Wikipedia', () => {
  const node = { type: '@n8n/n8n-nodes-langchain.toolWikipedia' };

  test('returns the extracts of the best articles in order', async () => {
    const pages = [
      { index: 2, title: 'B', extract: 'b' },
      { index: 1, title: 'A', extract: 'a'.repeat(3_990) },
    ];
    answer = { json: { query: { pages } } };
    const { result } = await search(node, 'x & y');
    expect(received).toMatchObject([{ path: '/w/api.php', query: { gsrsearch: 'x & y', gsrlimit: '3' } }]);
    expect(received[0]?.agent).toContain('Sluice');
    expect(result).toMatch(/^Page: A\nSummary: a+$/);
    expect(result).toHaveLength(4_000);
  });

  test('reports a missing article, and why a search failed', async () => {
    answer = { json: { batchcomplete: true } };
    expect(await search(node, 'x')).toEqual({ result: 'No article matches.' });
    answer = { status: 429, json: {} };
    expect((await search(node, 'x')).error).toMatchObject({ message: expect.stringContaining('Wikipedia refused') });
  });
});

describe('SearXNG', () => {
  const node = (options: JsonObject = {}) => ({
    type: '@n8n/n8n-nodes-langchain.toolSearXng',
    parameters: { options },
    credentials: { searXngApi: 'key' },
  });

  test('returns answers and pages, without the rest of the response', async () => {
    const page = (title: string) => ({ title, url: `https://example.com/${title}`, content: 's', engines: ['x'], score: 1 });
    answer = { json: { query: 'q?', answers: [{ answer: '42', url: null }, 'also'], results: [page('P'), page('Q')] } };
    expect(await search(node({ numResults: 1, pageNumber: 2, language: 'de', safesearch: 2 }), 'q?')).toEqual({
      result: [{ answer: '42' }, { title: 'P', link: 'https://example.com/P', snippet: 's' }],
    });
    const query = { q: 'q?', format: 'json', language: 'de', pageno: '2', safesearch: '2' };
    expect(received).toMatchObject([{ path: '/search', query }]);
  });

  test('reports that there are no results, and why a search failed', async () => {
    answer = { json: { results: [] } };
    expect(await search(node(), 'x')).toEqual({ result: 'There are no results.' });
    expect(received[0]?.query).toMatchObject({ language: 'en', pageno: '1' });
    answer = { status: 403, text: 'Forbidden' };
    expect((await search(node(), 'x')).error).toMatchObject({ message: expect.stringContaining('SearXNG refused') });
  });
});

describe('SerpApi', () => {
  const node = (options: JsonObject = {}) => ({
    type: '@n8n/n8n-nodes-langchain.toolSerpApi',
    parameters: { options },
    credentials: { serpApi: 'key' },
  });

  test('returns answer, knowledge, and pages, without the rest of the response', async () => {
    answer = {
      json: {
        search_metadata: { id: '1' },
        answer_box: { answer: '42', type: 'calculator' },
        knowledge_graph: { title: 'T', description: 'd', header_images: [] },
        organic_results: [{ position: 1, title: 'P', link: 'https://example.com', snippet: 's' }],
      },
    };
    expect(await search(node({ gl: 'de', hl: 'fr', google_domain: 'google.de', no_cache: true }), 'q?')).toEqual({
      result: {
        answer: { answer: '42' },
        knowledge: { title: 'T', description: 'd' },
        results: [{ title: 'P', link: 'https://example.com', snippet: 's' }],
      },
    });
    expect(received).toMatchObject([
      {
        path: '/search.json',
        query: {
          engine: 'google',
          q: 'q?',
          gl: 'de',
          hl: 'fr',
          google_domain: 'google.de',
          no_cache: 'true',
          api_key: 'secret-1',
        },
      },
    ]);
  });

  test('reports an empty result, and a rejection by the service', async () => {
    answer = { json: { error: "Google hasn't returned any results for this query." } };
    expect(await search(node(), 'q')).toEqual({ result: 'There are no results.' });
    answer = { status: 401, json: { error: 'Invalid API key' } };
    expect((await search(node(), 'q')).error).toMatchObject({ message: expect.stringContaining('Invalid API key') });
  });
});

describe('Wolfram|Alpha', () => {
  const node = { type: '@n8n/n8n-nodes-langchain.toolWolframAlpha', credentials: { wolframAlphaApi: 'key' } };

  test('returns the answer, up to a maximum length', async () => {
    answer = { text: `Result:\n75 mph${' '.repeat(30_000)}` };
    const { result } = await search(node, 'speed of a cheetah & more');
    expect(received).toMatchObject([
      { path: '/api/v1/llm-api', query: { input: 'speed of a cheetah & more', appid: 'app-1' } },
    ]);
    expect(result).toMatch(/^Result:\n75 mph *$/);
    expect(result).toHaveLength(20_000);
  });

  test('the model receives the hints for a question that is not understood; other rejections are errors', async () => {
    answer = { status: 501, text: 'Things to try instead: x' };
    expect(await search(node, 'hm')).toEqual({ result: 'Things to try instead: x' });
    answer = { status: 403, text: 'Invalid appid' };
    expect((await search(node, 'hm')).error).toMatchObject({
      message: 'Wolfram|Alpha refused the request with status 403: Invalid appid',
      description: expect.stringContaining('credential'),
    });
  });
});
