import { parse } from 'node:querystring';

/** Maps each name to its value, or to the list of its values. The length of a request line bounds their number. */
export function parseFlatQuery(text: string): Record<string, string | string[] | undefined> {
  return parse(text, '&', '=', { maxKeys: 0 });
}
