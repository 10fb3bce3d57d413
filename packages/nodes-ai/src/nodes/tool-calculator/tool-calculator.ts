import {
  type ExecuteContext,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  type NodeType,
  ownProperty,
  type Tool,
} from '@sluice/node-sdk';
import { coercedText, stringOf } from '@sluice/nodes-base/node-tools';

const names =
  'abs acos acosh asin asinh atan atanh atan2 cbrt ceil cos cosh exp floor hypot log log10 log2 max min pow round sign sin sinh sqrt tan tanh trunc';
const knownNames: ReadonlySet<string> = new Set([...names.split(' '), 'pi', 'e']);
const allowed = /^[\d\s+\-*/%^().,eE]*$/;
/**
 * Maximum length of an expression: matching the words in megabytes of text blocks the event loop.
 */
const maxLength = 10_000;

/** Evaluates arithmetic, in the sandbox. */
export const toolCalculator: NodeType = {
  description: {
    displayName: 'Calculator',
    name: 'tool-calculator',
    group: ['transform'],
    version: 1,
    description: 'Lets an agent calculate expressions of up to 10,000 characters',
    defaults: { name: 'Calculator' },
    inputs: [],
    outputs: ['ai_tool'],
    properties: [],
    computesOnly: true,
    icon: 'fa:calculator',
  },
  supply: (context) => calculator(context),
};

function calculator(context: ExecuteContext): Tool {
  return {
    name: 'calculator',
    description: `Calculates an arithmetic expression with + - * / % ^, parentheses, pi, e, and the functions ${names}.`,
    inputSchema: {
      type: 'object',
      properties: { input: { type: 'string', description: 'the expression, such as (2 + 3) * sqrt(16)' } },
      required: ['input'],
    },
    run: (input) => calculate(context, coercedText(ownProperty(input as JsonObject, 'input'))),
  };
}

async function calculate(context: ExecuteContext, expression: string): Promise<JsonValue> {
  if (expression.length > maxLength)
    throw new NodeOperationError(`the expression has more than ${maxLength} characters`, {
      description: 'Divide it into several calculations',
    });
  const rest = expression.replace(/[a-z][a-z0-9]*/gi, (word) => (knownNames.has(word) ? '' : word));
  if (!allowed.test(rest) || expression.trim() === '') throw notArithmetic(expression);
  const source = `const { ${names.split(' ').join(', ')}, PI: pi, E: e } = Math;
return [{ json: { result: Number(${expression.replaceAll('^', '**')}) } }];`;
  const [item] = await context.runCode({ source, mode: 'allItems' }).catch(() => Promise.reject(notArithmetic(expression)));
  const result = item?.json['result'];
  if (typeof result !== 'number') throw notArithmetic(expression);
  return stringOf(result);
}

function notArithmetic(expression: string): NodeOperationError {
  return new NodeOperationError(`"${expression.slice(0, 200)}" is not an arithmetic expression with a finite result`);
}
