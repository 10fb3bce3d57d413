import type {
  ArrayExpression,
  BinaryExpression,
  CallExpression,
  Expression,
  Literal,
  ObjectExpression,
  Property,
  TemplateLiteral,
} from 'acorn';
import QuickLRU from 'quick-lru';
import type { BinaryOperator, HostExpression, LogicalOperator, UnaryOperator } from './expression.ts';
import { maxHostNodes, maxHostSourceLength } from './limits.ts';
import { parseSource } from './parse-source.ts';

const cachedSources = 2_000;
const maxCachedLength = 200;

const unaryOperators = new Set<string>(['!', '-', '+'] satisfies UnaryOperator[]);
const binaryOperators = new Set<string>('=== !== == != < <= > >= + - * / %'.split(' ') as BinaryOperator[]);

/** Converts a part of an expression; `undefined` if the host cannot evaluate it. */
export type Convert<Read> = (node: Expression) => HostExpression<Read> | undefined;

/** Converts a language's reads; `undefined` for a node that it does not support. */
export type Readable<Read> = (node: Expression, convert: Convert<Read>) => Read | undefined;

/**
 * Expressions that the host evaluates: literals, operators, and the reads of one language. Caches
 * short sources.
 */
export class HostLanguage<Read> {
  readonly #makeReader: () => Readable<Read>;
  readonly #known = new QuickLRU<string, { expression: HostExpression<Read> | undefined }>({ maxSize: cachedSources });

  /** @param makeReader makes the function that converts the reads of one source. */
  constructor(makeReader: () => Readable<Read>) {
    this.#makeReader = makeReader;
  }

  /** `undefined` if the source does not parse or exceeds the host's limits. */
  expressionOf(source: string): HostExpression<Read> | undefined {
    if (source.length > maxHostSourceLength) return undefined;
    if (source.length > maxCachedLength) return this.#convert(source);
    const cached = this.#known.get(source);
    if (cached) return cached.expression;
    const expression = this.#convert(source);
    this.#known.set(source, { expression });
    return expression;
  }

  #convert(source: string): HostExpression<Read> | undefined {
    if (source.trim() === '') return { kind: 'literal', value: undefined };
    const node = parseSource(source);
    return node && new Conversion(this.#makeReader()).convert(node);
  }
}

class Conversion<Read> {
  readonly #readOf: Readable<Read>;
  #nodes = 0;

  constructor(readOf: Readable<Read>) {
    this.#readOf = readOf;
  }

  readonly convert: Convert<Read> = (node) => {
    this.#nodes += 1;
    if (this.#nodes > maxHostNodes) return undefined;
    const read = this.#readOf(node, this.convert);
    return read === undefined ? this.#converted(node) : { kind: 'read', read };
  };

  #converted(node: Expression): HostExpression<Read> | undefined {
    switch (node.type) {
      case 'Literal':
        return literal(node);
      case 'Identifier':
        return node.name === 'undefined' ? { kind: 'literal', value: undefined } : undefined;
      case 'TemplateLiteral':
        return this.#text(node);
      case 'UnaryExpression':
        return unaryOperators.has(node.operator) ? this.#unary(node.operator as UnaryOperator, node.argument) : undefined;
      case 'BinaryExpression':
        return this.#binary(node);
      case 'LogicalExpression':
        return this.#both(node.left, node.right, (left, right) => {
          return { kind: 'logical', operator: node.operator as LogicalOperator, left, right };
        });
      case 'ConditionalExpression': {
        const test = this.convert(node.test);
        return test && this.#both(node.consequent, node.alternate, (yes, no) => ({ kind: 'conditional', test, yes, no }));
      }
      case 'ArrayExpression':
        return this.#array(node);
      case 'ObjectExpression':
        return this.#object(node);
      default:
        return undefined;
    }
  }

  #unary(operator: UnaryOperator, argument: Expression): HostExpression<Read> | undefined {
    const operand = this.convert(argument);
    const negative =
      operator === '-' && operand?.kind === 'literal' && typeof operand.value === 'number' && operand.value !== 0;
    if (negative) return { kind: 'literal', value: -(operand.value as number) };
    return operand && { kind: 'unary', operator, operand };
  }

  #binary({ operator, left, right }: BinaryExpression): HostExpression<Read> | undefined {
    if (!binaryOperators.has(operator) || left.type === 'PrivateIdentifier') return undefined;
    return this.#both(left, right, (first, second) => {
      return { kind: 'binary', operator: operator as BinaryOperator, left: first, right: second };
    });
  }

  #both(
    first: Expression,
    second: Expression,
    join: (first: HostExpression<Read>, second: HostExpression<Read>) => HostExpression<Read>,
  ): HostExpression<Read> | undefined {
    const left = this.convert(first);
    const right = left && this.convert(second);
    return left && right && join(left, right);
  }

  #array(node: ArrayExpression): HostExpression<Read> | undefined {
    const elements = all(node.elements, (element) => {
      return element && element.type !== 'SpreadElement' ? this.convert(element) : undefined;
    });
    return elements && { kind: 'array', elements };
  }

  #object({ properties }: ObjectExpression): HostExpression<Read> | undefined {
    const members = all(properties, (property) => {
      const key = property.type === 'Property' ? keyOf(property) : undefined;
      const value = key === undefined ? undefined : this.convert((property as Property).value);
      return key === undefined || !value ? undefined : { key, value };
    });
    return members && { kind: 'object', members };
  }

  #text({ quasis, expressions }: TemplateLiteral): HostExpression<Read> | undefined {
    const texts = all(quasis, ({ value }) => value.cooked ?? undefined);
    const converted = all(expressions, this.convert);
    if (!texts || !converted) return undefined;
    const [first = '', ...rest] = texts;
    if (converted.length === 0) return { kind: 'literal', value: first };
    const pieces = rest.flatMap((text, at) => [
      converted[at] as HostExpression<Read>,
      { kind: 'literal', value: text } as const,
    ]);
    return { kind: 'text', pieces: [{ kind: 'literal', value: first }, ...pieces] };
  }
}

function literal<Read>({ value, regex, bigint }: Literal): HostExpression<Read> | undefined {
  if (regex || (bigint !== undefined && bigint !== null) || typeof value === 'bigint' || value instanceof RegExp)
    return undefined;
  return { kind: 'literal', value };
}

/** The arguments of a call; `undefined` if the host cannot evaluate one of them. */
export function convertArguments<Read>(
  args: CallExpression['arguments'],
  convert: Convert<Read>,
): HostExpression<Read>[] | undefined {
  return all(args, (argument) => (argument.type === 'SpreadElement' ? undefined : convert(argument)));
}

/** Accepts only names and text. `__proto__` is not a regular key. */
function keyOf({ key, kind, computed, method }: Property): string | undefined {
  if (kind !== 'init' || computed || method) return undefined;
  const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? key.value : undefined;
  return typeof name === 'string' && name !== '__proto__' ? name : undefined;
}

/** `undefined` if any conversion returns `undefined`. */
function all<From, To>(values: readonly From[], convert: (value: From) => To | undefined): To[] | undefined {
  const converted: To[] = [];
  for (const value of values) {
    const result = convert(value);
    if (result === undefined) return undefined;
    converted.push(result);
  }
  return converted;
}
