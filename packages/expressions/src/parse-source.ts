import { type Expression, parse } from 'acorn';

/**
 * The syntax tree of one expression, as it stands between the parentheses that the guest puts around it. `undefined`: the source
 * does not parse, or is nested so deeply that the parser runs out of stack.
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
