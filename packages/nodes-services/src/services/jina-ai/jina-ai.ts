import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { choice, choices, options, text, toggle } from '@sluice/nodes-base/node-tools';
import { ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { defineService, type Operation, type Produced, type Resource } from '../../shared/define-service.ts';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://jina.ai/reader, https://jina.ai/deepsearch */
const client = new ApiClient({
  service: 'Jina AI',
  credentialType: 'jinaAiApi',
  baseUrl: 'https://r.jina.ai',
  headers: { accept: 'application/json' },
  refusalOf({ body }) {
    const { readableMessage, message } = objectOf(body);
    const words = readableMessage ?? message;
    return typeof words === 'string' ? { text: words } : {};
  },
});

const simplify = toggle('simplify', 'Simplify', 'Whether to return the content instead of the whole response', {
  default: true,
});
const pageOptions = options([
  choice(
    'outputFormat',
    'Output Format',
    choices(
      ['', 'Default', 'The main content as Markdown'],
      ['markdown', 'Markdown', 'The whole page as Markdown'],
      ['html', 'HTML'],
      ['text', 'Text'],
      ['screenshot', 'Screenshot', 'The address of an image of the visible part'],
      ['pageshot', 'Page Shot', 'The address of an image of the whole page'],
    ),
  ),
  text('targetSelector', 'Target Selector', 'CSS selector of the part of the page to read'),
  text('excludeSelector', 'Exclude Selector', 'CSS selector of parts to leave out'),
  text('waitForSelector', 'Wait for Selector', 'CSS selector of an element that must exist before the page is read'),
  toggle('enableImageCaptioning', 'Enable Image Captioning', 'Whether to describe images that have no text'),
]);

/** Pages may take long to load, and deep research thinks for minutes. */
const pageTimeoutMs = 3 * 60_000;
const researchTimeoutMs = 30 * 60_000;

const reader: Resource = {
  displayName: 'Reader',
  operations: {
    read: {
      displayName: 'Read',
      description: 'Reads a web page as text for language models',
      properties: [text('url', 'URL', 'Address of the page', { required: true }), simplify, pageOptions],
      run: (item) => readData(item, { path: '/', json: { url: item.required('url') } }),
    },
    search: {
      displayName: 'Search',
      description: 'Searches the web, and reads the pages of the results',
      properties: [text('searchQuery', 'Search Query', 'What to search for', { required: true }), simplify, pageOptions],
      run: (item) => readData(item, { path: 'https://s.jina.ai/', json: { q: item.required('searchQuery') } }),
    },
  },
};

async function readData(item: ServiceItem, request: ApiRequest): Promise<Produced> {
  const response = await item.send({ ...request, headers: pageHeaders(item), timeoutMs: pageTimeoutMs });
  if (!item.toggle('simplify', true)) return response;
  const { data } = objectOf(response);
  return Array.isArray(data) ? objectsOf(data) : (data ?? response);
}

function pageHeaders(item: ServiceItem): Record<string, string> {
  const headers = {
    'x-return-format': item.text('options.outputFormat'),
    'x-target-selector': item.text('options.targetSelector'),
    'x-remove-selector': item.text('options.excludeSelector'),
    'x-wait-for-selector': item.text('options.waitForSelector'),
    'x-with-generated-alt': item.toggle('options.enableImageCaptioning') ? 'true' : '',
  };
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
}

const deepResearch: Operation = {
  displayName: 'Deep Research',
  description: 'Answers a question after searching, reading, and reasoning until the answer is good',
  properties: [text('researchQuery', 'Research Query', 'The question', { required: true }), simplify],
  run: research,
};

async function research(item: ServiceItem): Promise<JsonValue> {
  const messages = [{ role: 'user', content: item.required('researchQuery') }];
  const model = 'jina-deepsearch-v1';
  const path = 'https://deepsearch.jina.ai/v1/chat/completions';
  const answer = await item.ask(model, { path, json: { model, messages, stream: false }, timeoutMs: researchTimeoutMs });
  if (!item.toggle('simplify', true)) return answer;
  const { content = '', annotations = [] } = objectOf(objectsOf(answer['choices'])[0]?.['message']);
  return { content, annotations } satisfies JsonObject;
}

/** Reads and searches the web. */
export const jinaAi = defineService({
  displayName: 'Jina AI',
  name: 'jina-ai',
  version: 1,
  description: 'Reads web pages, searches the web, and answers questions with Jina AI',
  credentials: [{ name: 'jinaAiApi', required: true }],
  icon: 'fa:book-reader',
  group: ['transform'],
  client,
  resources: { reader, research: { displayName: 'Research', operations: { deepResearch } } },
});
