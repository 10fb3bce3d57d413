import type { LanguageModelV4ProviderTool } from '@ai-sdk/provider';
import { type ExecuteContext, isJsonObject, type JsonValue, type NodeProperty, ownProperty } from '@sluice/node-sdk';
import {
  choice,
  choiceParameter,
  choices,
  collection,
  namesParameter,
  number,
  numberParameter,
  text,
  textParameter,
  toggle,
  when,
} from '@sluice/nodes-base/node-tools';

const sizes = ['medium', 'low', 'high'] as const;
const place = ['country', 'region', 'city'] as const;

/** Tools that OpenAI runs while it answers. */
export const builtInToolsProperty: NodeProperty = collection(
  'builtInTools',
  'Built-in Tools',
  [
    collection('webSearch', 'Web Search', [
      choice('searchContextSize', 'Search Context Size', choices(['medium', 'Medium'], ['low', 'Low'], ['high', 'High'])),
      text('allowedDomains', 'Allowed Domains', 'Domains that are searched, separated by commas; empty: all', {
        acceptsList: true,
      }),
      text('country', 'Country', 'Where the user is, as two letters: `US`'),
      text('region', 'Region', 'Where the user is'),
      text('city', 'City', 'Where the user is'),
    ]),
    collection('fileSearch', 'File Search', [
      text('vectorStoreIds', 'Vector Store IDs', 'IDs separated by commas', { acceptsList: true }),
      number('maxResults', 'Max Results', 0, 'Most results that the model reads; 0: as OpenAI decides'),
    ]),
    toggle('codeInterpreter', 'Code Interpreter', 'Whether the model may run code at OpenAI', { acceptsAnyValue: true }),
  ],
  when([1.3], { responsesApiEnabled: [true] }),
);

/** The selected tools; only the Responses API supports them. */
export function builtInTools(context: ExecuteContext, itemIndex: number): LanguageModelV4ProviderTool[] {
  const value = context.parameter<JsonValue>('builtInTools', itemIndex) ?? {};
  const isChosen = (name: string) => isJsonObject(value) && Boolean(ownProperty(value, name));
  return [
    ...(isChosen('webSearch') ? [providerTool('web_search', webSearch(context, itemIndex))] : []),
    ...(isChosen('codeInterpreter') ? [providerTool('code_interpreter', {})] : []),
    ...(isChosen('fileSearch') ? [providerTool('file_search', fileSearch(context, itemIndex))] : []),
  ];
}

/**
 * The dot in the name distinguishes it from connected tools, which the library would confuse with
 * it.
 */
function providerTool(kind: string, args: Record<string, unknown>): LanguageModelV4ProviderTool {
  return { type: 'provider', id: `openai.${kind}`, name: `openai.${kind}`, args };
}

/** https://platform.openai.com/docs/guides/tools-web-search */
function webSearch(context: ExecuteContext, itemIndex: number): Record<string, unknown> {
  const path = 'builtInTools.webSearch';
  const allowedDomains = namesParameter(context, `${path}.allowedDomains`, itemIndex);
  const written = place.map((name) => [name, textParameter(context, `${path}.${name}`, itemIndex)] as const);
  const location = written.filter(([, value]) => value !== '');
  return {
    searchContextSize: choiceParameter(context, `${path}.searchContextSize`, itemIndex, sizes, 'medium'),
    ...(allowedDomains.length > 0 && { filters: { allowedDomains } }),
    ...(location.length > 0 && { userLocation: { type: 'approximate', ...Object.fromEntries(location) } }),
  };
}

function fileSearch(context: ExecuteContext, itemIndex: number): Record<string, unknown> {
  const maxResults = numberParameter(context, 'builtInTools.fileSearch.maxResults', itemIndex, 0);
  const vectorStoreIds = namesParameter(context, 'builtInTools.fileSearch.vectorStoreIds', itemIndex);
  return { vectorStoreIds, ...(maxResults > 0 && { maxNumResults: Math.trunc(maxResults) }) };
}
