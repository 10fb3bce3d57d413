import type { ExecuteContext, JsonValue } from '@sluice/node-sdk';
import { booleanParameter, choiceParameter, requiredText } from '../../shared/parameters.ts';
import { plainText, readPairs } from './request-parts.ts';

type ArrayFormat = 'brackets' | 'repeat' | 'indices';

/** The URL with its query parameters; those in the URL itself stay as they are. */
export function requestUrl(context: ExecuteContext, itemIndex: number): string {
  const url = requiredText(context, 'url', itemIndex).trim();
  if (!booleanParameter(context, 'sendQuery', itemIndex, false)) return url;
  const format = choiceParameter(
    context,
    'options.queryParameterArrays',
    itemIndex,
    ['brackets', 'repeat', 'indices'],
    'brackets',
  );
  const pairs = readPairs(context, itemIndex, { specify: 'specifyQuery', pairs: 'queryParameters', json: 'jsonQuery' });
  return withQuery(url, new URLSearchParams(pairs.flatMap(([name, value]) => spread(name, value, format))).toString());
}

function spread(name: string, value: JsonValue, format: ArrayFormat): [string, string][] {
  if (!Array.isArray(value)) return [[name, plainText(value)]];
  const key = (index: number) => (format === 'repeat' ? name : format === 'brackets' ? `${name}[]` : `${name}[${index}]`);
  return value.map((element, index) => [key(index), plainText(element)]);
}

function withQuery(url: string, query: string): string {
  if (query === '') return url;
  const [address = '', ...fragment] = url.split('#');
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return [`${address}${joint}${query}`, ...fragment].join('#');
}
