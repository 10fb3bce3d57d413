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
  'coin-gecko': {
    credentials: {},
    requests: [['GET /api/v3/simple/price?ids=bitcoin&vs_currencies=usd%2Ceur']],
  },
  'deep-l': {
    credentials: { deepLApi: { apiKey: 'k1' } },
    requests: [['POST /v2/translate', { text: ['Hello, world!'], target_lang: 'FR', formality: 'prefer_more' }]],
  },
  nasa: {
    credentials: { nasaApi: { api_key: 'k1' } },
    requests: [['GET /DONKI/FLR?startDate=2026-01-01&endDate=2026-01-07&api_key=k1']],
  },
  phantombuster: {
    credentials: { phantombusterApi: { apiKey: 'k1' } },
    requests: [['POST /api/v2/agents/launch', { id: '42', bonusArgument: { profileUrl: 'https://example.com/ada' } }]],
  },
  raindrop: {
    credentials: { raindropOAuth2Api: connected('t') },
    requests: [
      [
        'POST /rest/v1/raindrop',
        { link: 'https://example.com/', collection: { $id: -1 }, title: 'Example', tags: ['news', 'later'] },
      ],
    ],
  },
};
