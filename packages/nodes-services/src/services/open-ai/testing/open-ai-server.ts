import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const number = { type: 'number' };
const sampling = { temperature: number, top_p: number, n: number, frequency_penalty: number, presence_penalty: number };
const limit = { type: 'integer', minimum: 1 };
const head = { id: '1', model: 'm', usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } };

/** Chat, completions, moderation, and images of https://platform.openai.com/docs/api-reference */
export function openAiServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://api.openai.com',
    headers: { authorization: /^Bearer sk-1$/ },
    routes: {
      'POST /v1/chat/completions': {
        body: fields({
          'model!': text,
          'messages!': {
            type: 'array',
            minItems: 1,
            items: fields({ 'role!': { enum: ['system', 'user', 'assistant'] }, 'content!': text }),
          },
          max_tokens: limit,
          max_completion_tokens: limit,
          response_format: fields({ 'type!': { enum: ['json_object'] } }),
          ...sampling,
        }),
        answer: () => ({
          json: { ...head, choices: [{ index: 0, message: { role: 'assistant', content: 'Rome' }, finish_reason: 'stop' }] },
        }),
      },
      'POST /v1/completions': {
        body: fields({
          'model!': text,
          'prompt!': text,
          max_tokens: limit,
          best_of: limit,
          echo: { type: 'boolean' },
          ...sampling,
        }),
        answer: () => ({ json: { ...head, choices: [{ text: 'Rome', index: 0, finish_reason: 'stop' }] } }),
      },
      'POST /v1/moderations': {
        body: fields({ 'model!': text, 'input!': text }),
        answer: () => ({ json: { id: '1', model: 'm', results: [{ flagged: false }] } }),
      },
      'POST /v1/images/generations': {
        body: fields({
          'model!': text,
          'prompt!': text,
          n: limit,
          size: text,
          quality: text,
          style: text,
          response_format: { enum: ['url', 'b64_json'] },
        }),
        answer: ({ body }) => {
          const { n = 1, response_format: format } = body as { n?: number; response_format?: string };
          const one = format === 'url' ? { url: 'https://example.com/1.png' } : { b64_json: 'aW1hZ2U=' };
          return { json: { created: 1, data: Array.from({ length: n }, () => one) } };
        },
      },
    },
  });
}
