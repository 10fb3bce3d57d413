import { connected } from '../service-requests.ts';
import type { ServiceAction } from './service-action.ts';

/** Services for language models, translation, news, and weather. */
export const knowledgeActions: Readonly<Record<string, ServiceAction>> = {
  airtop: {
    credentials: { airtopApi: { apiKey: 'k1' } },
    requests: [
      ['POST /api/v1/sessions', { configuration: {} }],
      ['GET /api/v1/sessions/s1'],
      ['POST /api/v1/sessions/s1/windows', { url: 'https://example.com/' }],
      ['POST /api/v1/sessions/s1/windows/w1/page-query', { prompt: 'What is the title of the page?' }],
      ['DELETE /api/v1/sessions/s1'],
    ],
  },
  'google-translate': {
    credentials: { googleTranslateOAuth2Api: connected('ya29') },
    requests: [['POST /language/translate/v2', { q: 'Hello', target: 'de' }]],
  },
  'hacker-news': {
    credentials: {},
    requests: [['GET /api/v1/search?query=workflows&tags=story&hitsPerPage=1']],
  },
  'jina-ai': {
    credentials: { jinaAiApi: { apiKey: 'k1' } },
    requests: [['POST /', { url: 'https://example.com/' }]],
  },
  'mistral-ai': {
    credentials: { mistralCloudApi: { apiKey: 'k1' } },
    requests: [
      [
        'POST /v1/ocr',
        {
          model: 'mistral-ocr-latest',
          document: { type: 'document_url', document_url: 'https://example.com/report.pdf' },
        },
      ],
    ],
  },
  'open-ai': {
    credentials: { openAiApi: { apiKey: 'sk-1' } },
    requests: [
      [
        'POST /v1/chat/completions',
        {
          model: 'gpt-4o-mini',
          messages: [
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: 'What is the capital of Italy?' },
          ],
          temperature: 0.3,
          max_tokens: 100,
        },
      ],
    ],
  },
  'open-weather-map': {
    credentials: { openWeatherMapApi: { accessToken: 'k1' } },
    requests: [['GET /data/2.5/weather?q=berlin%2Cde&units=metric&lang=en&appid=k1']],
  },
  perplexity: {
    credentials: { perplexityApi: { apiKey: 'pplx-1' } },
    requests: [
      [
        'POST /chat/completions',
        {
          model: 'sonar',
          messages: [
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: 'Who won the race?' },
          ],
          search_recency_filter: 'day',
        },
      ],
    ],
  },
};
