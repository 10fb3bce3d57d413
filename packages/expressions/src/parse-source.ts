import { type Expression, parse } from 'acorn';

/**
 * Parses one expression as it appears between the parentheses that the guest adds. `undefined` if
 * the source does not parse, or is nested too deeply for the parser's stack.
 */
export function parseSource(source: string): Expression | undefined {
  try {
    const { body } = parse(`(\n${source}\n)`, { ecmaVersion: 'latest', sourceType: 'script' });
    const [statement] = body;
    return body.length === 1 && statement?.type === 'ExpressionStatement' ? statement.expression : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}
