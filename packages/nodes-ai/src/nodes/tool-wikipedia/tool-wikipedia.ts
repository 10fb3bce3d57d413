import {
  type ExecuteContext,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type NodeType,
  ownProperty,
} from '@sluice/node-sdk';
import { coercedText, stringOf } from '@sluice/nodes-base/node-tools';
import { callService } from '../../shared/service-call.ts';

const maxPages = 3;
/** Maximum number of characters in all pages. */
const maxLength = 4_000;

/** Searches the English Wikipedia. */
export const toolWikipedia: NodeType = {
  description: {
    displayName: 'Wikipedia',
    name: 'tool-wikipedia',
    group: ['transform'],
    version: 1,
    description: 'Lets an agent search the English Wikipedia and read the beginnings of articles',
    defaults: { name: 'Wikipedia' },
    inputs: [],
    outputs: ['ai_tool'],
    properties: [],
    icon: 'fa:book',
  },
  supply: (context, itemIndex) => ({
    name: 'wikipedia-api',
    description: 'Searches Wikipedia. Returns the titles and the beginnings of the articles that match best.',
    inputSchema: {
      type: 'object',
      properties: { input: { type: 'string', description: 'what to search for' } },
      required: ['input'],
    },
    run: (input: JsonValue) => search(context, itemIndex, coercedText(ownProperty(input as JsonObject, 'input'))),
  }),
};

async function search(context: ExecuteContext, itemIndex: number, words: string): Promise<JsonValue> {
  const query = new URLSearchParams({
    action: 'query',
    format: 'json',
    formatversion: '2',
    redirects: '1',
    generator: 'search',
    gsrsearch: words.slice(0, 300),
    gsrlimit: stringOf(maxPages),
    prop: 'extracts',
    exintro: '1',
    explaintext: '1',
    exlimit: 'max',
  });
  const url = `https://en.wikipedia.org/w/api.php?${query}`;
  // Wikimedia rejects requests from programs that do not identify themselves.
  const headers = { 'user-agent': 'Sluice workflow automation' };
  const response = await callService(context, itemIndex, { service: 'Wikipedia', method: 'GET', url, headers });
  const pages = pagesIn(response);
  return pages.length === 0 ? 'No article matches.' : pages.join('\n\n').slice(0, maxLength);
}

function pagesIn(response: JsonValue): string[] {
  const query = isJsonObject(response) ? response['query'] : undefined;
  const pages =
    isJsonObject(query) && Array.isArray(query['pages']) ? query['pages'].slice(0, maxPages).filter(isJsonObject) : [];
  const byRank = pages.toSorted((a, b) => Number(a['index']) - Number(b['index']));
  return byRank.map(({ title, extract }) => `Page: ${stringOf(title)}\nSummary: ${coercedText(extract)}`);
}
