import { parse } from 'node:querystring';

/** Each name with its value, or with the list of its values. None is left out: what a request line may hold bounds them. */
export function parseFlatQuery(text: string): Record<string, string | string[] | undefined> {
  return parse(text, '&', '=', { maxKeys: 0 });
}
