import { need } from './needs.ts';

export interface JmespathLibrary {
  search(data: unknown, expression: string): unknown;
}

let library: JmespathLibrary | undefined;

export function useJmespath(loaded: JmespathLibrary): void {
  library = loaded;
}

/** `$jmespath(data, expression)`: undefined for an expression that does not parse, and for what is not there. */
export function jmespath(data: unknown, expression: unknown): unknown {
  const { search } = library ?? need({ image: 'full' });
  if (typeof data !== 'object' || data === null) return undefined;
  try {
    return search(data, String(expression)) ?? undefined;
  } catch {
    return undefined;
  }
}
