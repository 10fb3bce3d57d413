import { need } from './needs.ts';

export interface JmespathLibrary {
  search(data: unknown, expression: string): unknown;
}

let library: JmespathLibrary | undefined;

export function useJmespath(loaded: JmespathLibrary): void {
  library = loaded;
}

/** `$jmespath(data, expression)`: undefined for an expression that does not parse, and for data that is absent. */
export function jmespath(data: unknown, expression: unknown): unknown {
  if (expression === undefined) throw new Error('$jmespath() takes data and an expression');
  const { search } = library ?? need({ image: 'full' });
  if (typeof data !== 'object' || data === null) return undefined;
  try {
    return search(data, String(expression));
  } catch {
    return undefined;
  }
}
