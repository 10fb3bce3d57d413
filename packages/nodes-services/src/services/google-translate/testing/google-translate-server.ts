import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };

/** https://cloud.google.com/translate/docs/reference/rest/v2, for the token `ya29`. */
export function googleTranslateServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://translation.googleapis.com',
    headers: { authorization: /^Bearer ya29$/ },
    routes: {
      'POST /language/translate/v2': {
        body: fields({ 'q!': text, 'target!': text }),
        answer: () => ({ json: { data: { translations: [{ translatedText: 'Hallo', detectedSourceLanguage: 'en' }] } } }),
      },
      'GET /language/translate/v2/languages': {
        query: fields({ 'target!': { const: 'en' } }),
        answer: () => ({ json: { data: { languages: [{ language: 'de', name: 'German' }] } } }),
      },
    },
  });
}
