import {
  type ExecuteContext,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type NodeType,
  ownProperty,
} from '@sluice/node-sdk';
import {
  choice,
  coercedText,
  number,
  numberParameter,
  options,
  stringOf,
  text,
  textParameter,
} from '@sluice/nodes-base/node-tools';
import { baseUrl } from '../../shared/model-list.ts';
import { callService } from '../../shared/service-call.ts';

const maxResults = 50;

/** Searches the web with a SearXNG instance: https://docs.searxng.org/dev/search_api.html */
export const toolSearXng: NodeType = {
  description: {
    displayName: 'SearXNG',
    name: 'tool-sear-xng',
    group: ['transform'],
    version: 1,
    description: 'Lets an agent search the web by a SearXNG instance that allows the format `json`',
    defaults: { name: 'SearXNG' },
    inputs: [],
    outputs: ['ai_tool'],
    credentials: [{ name: 'searXngApi', required: true }],
    properties: [
      options([
        number('numResults', 'Number of Results', 10, `How many results the model receives, at most ${maxResults}`),
        number('pageNumber', 'Page Number', 1, 'Page of the results'),
        text('language', 'Language', 'Language of the search, such as en; empty: that of the instance', { default: 'en' }),
        choice('safesearch', 'Safe Search', [
          { name: 'None', value: 0 },
          { name: 'Moderate', value: 1 },
          { name: 'Strict', value: 2 },
        ]),
      ]),
    ],
    icon: 'fa:search',
  },
  supply: (context, itemIndex) => ({
    name: 'searxng-search',
    description:
      'A meta search engine. Useful for questions about current events. The input is a search query; the output is a list of results.',
    inputSchema: {
      type: 'object',
      properties: { input: { type: 'string', description: 'the search query' } },
      required: ['input'],
    },
    run: (input: JsonValue) => search(context, itemIndex, coercedText(ownProperty(input as JsonObject, 'input'))),
  }),
};

async function search(context: ExecuteContext, itemIndex: number, words: string): Promise<JsonValue> {
  const set = (name: string, fallback: number) => Math.trunc(numberParameter(context, `options.${name}`, itemIndex, fallback));
  const query = new URLSearchParams({ q: words.slice(0, 2_000), format: 'json' });
  const language = textParameter(context, 'options.language', itemIndex, 'en');
  if (language !== '') query.set('language', language);
  query.set('pageno', stringOf(Math.max(1, set('pageNumber', 1))));
  query.set('safesearch', stringOf(set('safesearch', 0)));
  const url = `${baseUrl(await context.credentials('searXngApi', itemIndex), 'apiUrl')}/search?${query}`;
  const response = await callService(context, itemIndex, { service: 'SearXNG', credential: 'searXngApi', method: 'GET', url });
  const results = isJsonObject(response) ? shown(response, Math.min(Math.max(1, set('numResults', 10)), maxResults)) : [];
  return results.length === 0 ? 'There are no results.' : results;
}

/** Direct answers, then the best pages. */
function shown({ answers, results }: JsonObject, count: number): JsonValue[] {
  const direct = (Array.isArray(answers) ? answers : []).flatMap((answer) => {
    const value = isJsonObject(answer) ? answer['answer'] : answer;
    return typeof value === 'string' ? [{ answer: value }] : [];
  });
  const pages = (Array.isArray(results) ? results : []).filter(isJsonObject).slice(0, count);
  return [
    ...direct.slice(0, count),
    ...pages.map(({ title = '', url = '', content = '' }) => ({ title, link: url, snippet: content })),
  ];
}
