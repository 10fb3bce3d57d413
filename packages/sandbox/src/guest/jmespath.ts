import { ExpressionFailure, isEngineFailure } from './failures.ts';
import { need } from './needs.ts';

interface JmespathLibrary {
  search(data: unknown, expression: string): unknown;
}

let library: JmespathLibrary | undefined;

export function useJmespath(loaded: { default: JmespathLibrary }): void {
  library = loaded.default;
}

/**
 * `$jmespath(data, expression)`: undefined for absent data. An expression that cannot be evaluated
 * is an error in code, and makes the value of a parameter undefined, like other errors there.
 */
export function jmespath(data: unknown, expression: unknown): unknown {
  if (expression === undefined) throw new ExpressionFailure('$jmespath() takes data and an expression');
  const { search } = library ?? need({ image: 'full' });
  if (typeof data !== 'object' || data === null) return undefined;
  try {
    return search(data, String(expression));
  } catch (error) {
    if (isEngineFailure(error)) throw error;
    const shown = JSON.stringify(String(expression).slice(0, 80));
    throw new Error(`$jmespath(): ${shown} is invalid: ${(error as Error).message}`);
  }
}
