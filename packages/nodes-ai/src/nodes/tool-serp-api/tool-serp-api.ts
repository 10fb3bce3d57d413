import {
  type ExecuteContext,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type NodeType,
  ownProperty,
} from '@sluice/node-sdk';
import {
  booleanParameter,
  choice,
  choices,
  coercedText,
  options,
  text,
  textParameter,
  toggle,
} from '@sluice/nodes-base/node-tools';
import { callService } from '../../shared/service-call.ts';

const maxResults = 10;

/** Searches Google with SerpApi. */
export const toolSerpApi: NodeType = {
  description: {
    displayName: 'SerpApi (Google Search)',
    name: 'tool-serp-api',
    group: ['transform'],
    version: 1,
    description: 'Lets an agent search Google by SerpApi',
    defaults: { name: 'SerpApi' },
    inputs: [],
    outputs: ['ai_tool'],
    credentials: [{ name: 'serpApi', required: true }],
    properties: [
      options([
        text('gl', 'Country', 'Country of the search, such as us', { default: 'us' }),
        choice('device', 'Device', choices(['desktop', 'Desktop'], ['mobile', 'Mobile'], ['tablet', 'Tablet'])),
        toggle('no_cache', 'Explicit Array', 'Whether to search again if SerpApi has cached results'),
        text('google_domain', 'Google Domain', 'Domain of Google', { default: 'google.com' }),
        text('hl', 'Language', 'Language of the search, such as en', { default: 'en' }),
      ]),
    ],
    icon: 'fa:search',
  },
  supply: (context, itemIndex) => ({
    name: 'search',
    description: 'A search engine. Useful for questions about current events. The input is a search query.',
    inputSchema: {
      type: 'object',
      properties: { input: { type: 'string', description: 'the search query' } },
      required: ['input'],
    },
    run: (input: JsonValue) => search(context, itemIndex, coercedText(ownProperty(input as JsonObject, 'input'))),
  }),
};

async function search(context: ExecuteContext, itemIndex: number, words: string): Promise<JsonValue> {
  const query = new URLSearchParams({ engine: 'google', q: words.slice(0, 2_000) });
  for (const name of ['device', 'gl', 'google_domain', 'hl']) {
    const value = textParameter(context, `options.${name}`, itemIndex);
    if (value !== '') query.set(name, value);
  }
  if (booleanParameter(context, 'options.no_cache', itemIndex, false)) query.set('no_cache', 'true');
  const url = `https://serpapi.com/search.json?${query}`;
  const response = await callService(context, itemIndex, { service: 'SerpApi', credential: 'serpApi', method: 'GET', url });
  return isJsonObject(response) ? shown(response) : 'There are no results.';
}

/**
 * The parts of a response for the model: the direct answer, facts about the subject, and the best
 * pages.
 */
function shown({ answer_box: box, knowledge_graph: graph, organic_results: pages }: JsonObject): JsonValue {
  const results = Array.isArray(pages) ? pages.filter(isJsonObject).slice(0, maxResults) : [];
  const facts: JsonObject = {
    ...(isJsonObject(box) && { answer: picked(box, ['answer', 'result', 'title', 'snippet', 'link']) }),
    ...(isJsonObject(graph) && { knowledge: picked(graph, ['title', 'type', 'description', 'website']) }),
    ...(results.length > 0 && { results: results.map((page) => picked(page, ['title', 'link', 'snippet', 'date'])) }),
  };
  return Object.keys(facts).length === 0 ? 'There are no results.' : facts;
}

function picked(from: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}
