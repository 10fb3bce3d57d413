import { type Convert, convertArguments } from '@sluice/expressions';
import type { ArrowFunctionExpression, CallExpression, Expression, FunctionExpression, Statement } from 'acorn';
import { functionNames } from './host-functions.ts';
import type { LocalFunction, ScopeExpression, ScopeRead } from './scope-read.ts';

type FunctionNode = ArrowFunctionExpression | FunctionExpression;

/** Functions that a callback may be: `list.filter(Boolean)`. */
const namedCallbacks = new Set(['Boolean', 'Number', 'String']);

const noValue: ScopeExpression = { kind: 'literal', value: undefined };

/**
 * Converts the functions of one source: plain parameters, constants, and returns, with or without
 * conditions. Each variable has a slot, the number of variables around it.
 */
export class LocalFunctions {
  readonly #convert: Convert<ScopeRead>;
  readonly #names: string[];

  /** @param names of the variables that are visible; changes during the conversion. */
  constructor(convert: Convert<ScopeRead>, names: string[]) {
    this.#convert = convert;
    this.#names = names;
  }

  /** A callback with up to two parameters. */
  callback(node: Expression): LocalFunction | undefined {
    const slot = this.#names.length;
    if (node.type === 'Identifier' && namedCallbacks.has(node.name)) {
      const element: ScopeExpression = { kind: 'read', read: { local: slot } };
      return { slot, parameters: 1, body: { kind: 'read', read: { called: node.name, values: [element] } } };
    }
    if (!isFunction(node) || node.params.length > 2) return undefined;
    const body = this.#bodyOf(node);
    return body && { slot, parameters: node.params.length, body };
  }

  /** `((name) => body)(value)`. */
  immediate(node: FunctionNode, args: CallExpression['arguments']): ScopeRead | undefined {
    const slot = this.#names.length;
    if (args.length !== node.params.length) return undefined;
    const values = convertArguments(args, this.#convert);
    const body = values && this.#bodyOf(node);
    return body && { values, slot, body };
  }

  #bodyOf({ params, body, async, generator }: FunctionNode): ScopeExpression | undefined {
    const names = params.flatMap((parameter) => (parameter.type === 'Identifier' ? [parameter.name] : []));
    if (async || generator || names.length < params.length) return undefined;
    return this.#within(names, () => (body.type === 'BlockStatement' ? this.#block(body.body) : this.#convert(body)));
  }

  /** A name that hides another name has other rules, which the guest knows. */
  #within(names: readonly string[], convert: () => ScopeExpression | undefined): ScopeExpression | undefined {
    const outer = this.#names.length;
    const isFree = (name: string) => /^[a-z_]/.test(name) && name !== 'undefined' && !functionNames.has(name);
    if (!names.every((name) => isFree(name) && !this.#names.includes(name))) return undefined;
    this.#names.push(...names);
    const converted = convert();
    this.#names.length = outer;
    return converted;
  }

  #block([first, ...rest]: readonly Statement[]): ScopeExpression | undefined {
    if (!first) return noValue;
    switch (first.type) {
      case 'ReturnStatement':
        return first.argument ? this.#convert(first.argument) : noValue;
      case 'BlockStatement':
        return returns(first) ? this.#block(first.body) : undefined;
      case 'IfStatement': {
        const test = returns(first.consequent) ? this.#convert(first.test) : undefined;
        const yes = test && this.#block([first.consequent]);
        const no = yes && this.#block(first.alternate ? [first.alternate, ...rest] : rest);
        return no && { kind: 'conditional', test, yes, no };
      }
      case 'VariableDeclaration':
        return first.kind === 'var' ? undefined : this.#variables(first.declarations, rest);
      default:
        return undefined;
    }
  }

  /** Variables are constants, because no other expression assigns values. */
  #variables([first, ...more]: Declarations, rest: readonly Statement[]): ScopeExpression | undefined {
    if (!first) return this.#block(rest);
    const slot = this.#names.length;
    const value = first.id.type === 'Identifier' && first.init ? this.#convert(first.init) : undefined;
    const body = value && this.#within([(first.id as { name: string }).name], () => this.#variables(more, rest));
    return body && { kind: 'read', read: { values: [value], slot, body } };
  }
}

type Declarations = Extract<Statement, { type: 'VariableDeclaration' }>['declarations'];

export function isFunction(node: CallExpression['callee'] | CallExpression['arguments'][number]): node is FunctionNode {
  return node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression';
}

/** Whether a statement always ends its function. */
function returns(statement: Statement | undefined): boolean {
  if (statement?.type === 'BlockStatement') return returns(statement.body.at(-1));
  if (statement?.type === 'IfStatement') return returns(statement.consequent) && returns(statement.alternate ?? undefined);
  return statement?.type === 'ReturnStatement';
}
