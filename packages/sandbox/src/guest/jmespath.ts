import { ExpressionFailure } from './failures.ts';
import { need } from './needs.ts';

interface JmespathLibrary {
  search(data: unknown, expression: string): unknown;
}

let library: JmespathLibrary | undefined;

export function useJmespath(loaded: JmespathLibrary): void {
  library = loaded;
}

/**
 * `$jmespath(data, expression)`: undefined for absent data. Throws for an expression that cannot be
 * evaluated.
 */
export function jmespath(data: unknown, expression: unknown): unknown {
  if (expression === undefined) throw new ExpressionFailure('$jmespath() takes data and an expression');
  const { search } = library ?? need({ image: 'full' });
  if (typeof data !== 'object' || data === null) return undefined;
  try {
    return search(data, String(expression));
  } catch (error) {
    throw new ExpressionFailure(
      `$jmespath(): ${JSON.stringify(String(expression).slice(0, 80))} is invalid: ${(error as Error).message}`,
    );
  }
}
