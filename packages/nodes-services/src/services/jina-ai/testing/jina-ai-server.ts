import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const page = (url: unknown) => ({ title: 'Example Domain', url, content: 'This domain is for use in examples.' });

/** https://r.jina.ai/docs, for the key `k1`. */
export function jinaAiServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://r.jina.ai',
    headers: { authorization: /^Bearer k1$/, accept: /^application\/json$/ },
    routes: {
      'POST /': {
        body: fields({ 'url!': text }),
        answer: ({ body }) => ({ json: { code: 200, status: 20000, data: page((body as { url: string }).url) } }),
      },
    },
  });
}

/** https://s.jina.ai/docs */
export function jinaSearchServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://s.jina.ai',
    headers: { authorization: /^Bearer k1$/, accept: /^application\/json$/ },
    routes: {
      'POST /': {
        body: fields({ 'q!': text }),
        answer: () => ({ json: { code: 200, data: [page('https://a.example'), page('https://b.example')] } }),
      },
    },
  });
}

/** https://jina.ai/deepsearch */
export function jinaResearchServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://deepsearch.jina.ai',
    headers: { authorization: /^Bearer k1$/ },
    routes: {
      'POST /v1/chat/completions': {
        body: fields({
          'model!': { const: 'jina-deepsearch-v1' },
          'messages!': { type: 'array' },
          'stream!': { const: false },
        }),
        answer: () => ({
          json: { choices: [{ message: { role: 'assistant', content: '42', annotations: [] } }], usage: { total_tokens: 7 } },
        }),
      },
    },
  });
}
