import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const language = { type: 'string', pattern: '^[A-Z]{2}(-[A-Z0-9]+)?$' };

const server = (baseUrl: string, key: RegExp): Promise<ApiServer> =>
  apiServer({
    baseUrl,
    headers: { authorization: key },
    routes: {
      'POST /v2/translate': {
        body: fields({
          'text!': { type: 'array', items: text, minItems: 1, maxItems: 50 },
          'target_lang!': language,
          source_lang: language,
          formality: { enum: ['default', 'more', 'less', 'prefer_more', 'prefer_less'] },
          split_sentences: { enum: ['0', '1', 'nonewlines'] },
          preserve_formatting: { type: 'boolean' },
          tag_handling: { enum: ['html', 'xml'] },
          context: text,
          glossary_id: text,
        }),
        answer: () => ({ json: { translations: [{ detected_source_language: 'EN', text: 'Bonjour, le monde !' }] } }),
      },
    },
  });

/** https://developers.deepl.com/docs/api-reference/translate, for the key `k1`. */
export const deepLServer = () => server('https://api.deepl.com', /^DeepL-Auth-Key k1$/);

/** The free plan, for the key `k2:fx`. */
export const deepLFreeServer = () => server('https://api-free.deepl.com', /^DeepL-Auth-Key k2:fx$/);
