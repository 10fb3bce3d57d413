import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const number = { type: 'number' };

/** Chat completions of https://docs.perplexity.ai/api-reference/chat-completions-post */
export function perplexityServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://api.perplexity.ai',
    headers: { authorization: /^Bearer pplx-1$/ },
    routes: {
      'POST /chat/completions': {
        body: fields({
          'model!': text,
          'messages!': {
            type: 'array',
            minItems: 1,
            items: fields({ 'role!': { enum: ['system', 'user', 'assistant'] }, 'content!': text }),
          },
          frequency_penalty: number,
          max_tokens: { type: 'integer', minimum: 1 },
          temperature: { type: 'number', minimum: 0, exclusiveMaximum: 2 },
          top_k: number,
          top_p: number,
          presence_penalty: number,
          return_images: { type: 'boolean' },
          return_related_questions: { type: 'boolean' },
          search_recency_filter: { enum: ['hour', 'day', 'week', 'month', 'year'] },
          search_domain_filter: { type: 'array', items: text, maxItems: 20 },
        }),
        answer: () => ({ json: completion }),
      },
    },
  });
}

const completion = {
  id: '1',
  object: 'chat.completion',
  model: 'sonar',
  citations: ['https://example.com/race'],
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Ada won.' } }],
  usage: { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6, cost: { total_cost: 0.006 } },
};
