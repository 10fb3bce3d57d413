import { assertNever, type JsonValue } from '@sluice/domain';
import type { EvaluationScope } from './api.ts';
import type { BinaryOperator, OperatorExpression } from './operator-expression.ts';
import type { HostPart } from './parameter-tree.ts';
import { readRoot, toText } from './plain-evaluator.ts';
import type { PlainExpression } from './plain-expression.ts';
import { ReferenceFailure } from './scope-reads.ts';

type Primitive = string | number | boolean | null | undefined;

/** Characters that operators may read, and results may have, for one node, beside what these share with its items: a few milliseconds. */
const maxTextLength = 1024 * 1024;

/** Members that an object has besides its fields. */
const objectNames = new Set<string | number>(Object.getOwnPropertyNames(Object.prototype));

/** One for all, and without a stack: it is thrown for item after item. */
class GuestNeeded extends Error {
  static readonly instance = Object.assign(new GuestNeeded(), { stack: '' });
}

/** What `evaluate` gives, or `undefined` where it has come upon something that is the guest's to judge. */
export function unlessGuestNeeded<Result>(evaluate: () => Result): Result | undefined {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof GuestNeeded || error instanceof ReferenceFailure) return undefined;
    throw error;
  }
}

/**
 * Evaluates operators in the host, as long as they meet nothing but texts, numbers, booleans, null and undefined: for these the host's operators are the
 * language's own, and call nothing. Anything else (a method, a field of what is not there, a number that JSON does not have) throws, and is left to the
 * guest: `unlessGuestNeeded`.
 */
export class OperatorEvaluator {
  readonly #scope: EvaluationScope;
  #textLength = 0;

  constructor(scope: EvaluationScope) {
    this.#scope = scope;
  }

  /** The value of one expression. */
  evaluate(expression: OperatorExpression, itemIndex: number): JsonValue | undefined {
    return ofJson(this.#valueOf(expression, itemIndex));
  }

  /** Expressions within text. */
  print(parts: readonly HostPart<OperatorExpression>[], itemIndex: number): string {
    let text = '';
    for (const part of parts) text += this.#charged('text' in part ? part.text : this.#printed(part.expression, itemIndex));
    return text;
  }

  /** Lists and objects may be of any size. */
  #printed(expression: OperatorExpression, itemIndex: number): string {
    const value = this.evaluate(expression, itemIndex);
    return toText(expression.kind === 'array' || expression.kind === 'object' ? value : primitive(value));
  }

  #valueOf(expression: OperatorExpression, itemIndex: number): JsonValue | undefined {
    switch (expression.kind) {
      case 'literal':
      case 'path':
        return this.#read(expression, itemIndex);
      case 'unary':
        return this.#unary(expression, itemIndex);
      case 'binary':
        return this.#binary(expression, itemIndex);
      case 'logical':
        return this.#logical(expression, itemIndex);
      case 'conditional':
        return this.#valueOf(this.#valueOf(expression.test, itemIndex) ? expression.yes : expression.no, itemIndex);
      case 'object':
        return this.#object(expression.members, itemIndex);
      case 'array':
        return expression.elements.map((element) => this.#member(element, itemIndex) ?? null);
      default:
        return assertNever(expression);
    }
  }

  #binary({ operator, left, right }: Extract<OperatorExpression, { kind: 'binary' }>, itemIndex: number): JsonValue {
    return this.#charged(binary(operator, this.#operand(left, itemIndex), this.#operand(right, itemIndex)));
  }

  #unary({ operator, operand }: Extract<OperatorExpression, { kind: 'unary' }>, itemIndex: number): JsonValue {
    if (operator === '!') return !this.#valueOf(operand, itemIndex);
    const number = Number(this.#operand(operand, itemIndex));
    return operator === '-' ? -number : number;
  }

  /** Objects have methods that operators call; and texts may be long. */
  #operand(expression: OperatorExpression, itemIndex: number): Primitive {
    return this.#charged(primitive(this.#valueOf(expression, itemIndex)));
  }

  #logical(
    { operator, left, right }: Extract<OperatorExpression, { kind: 'logical' }>,
    itemIndex: number,
  ): JsonValue | undefined {
    const value = this.#valueOf(left, itemIndex);
    const decides = operator === '??' ? value !== null && value !== undefined : Boolean(value) === (operator === '||');
    return decides ? value : this.#valueOf(right, itemIndex);
  }

  /** Fields that are undefined are left out, as JSON does. */
  #object(members: Extract<OperatorExpression, { kind: 'object' }>['members'], itemIndex: number): JsonValue {
    const fields = new Map(members.map(({ key, value }) => [key, this.#member(value, itemIndex)]));
    return Object.fromEntries([...fields].filter((field): field is [string, JsonValue] => field[1] !== undefined));
  }

  /** What stands within braces is a copy: objects of any size are not copied here. */
  #member(expression: OperatorExpression, itemIndex: number): JsonValue | undefined {
    const value = this.evaluate(expression, itemIndex);
    if (expression.kind === 'object' || expression.kind === 'array') return value;
    return this.#charged(primitive(value));
  }

  #charged<Value>(value: Value): Value {
    if (typeof value === 'string') this.#textLength += value.length;
    if (this.#textLength > maxTextLength) throw GuestNeeded.instance;
    return value;
  }

  #read(expression: PlainExpression, itemIndex: number): JsonValue | undefined {
    if (expression.kind === 'literal') return expression.value as JsonValue | undefined;
    const { root, steps } = expression;
    let value = readRoot(root, this.#scope, itemIndex);
    for (const step of steps) value = memberOf(value, step);
    if (value === undefined && !isItemField(expression)) throw GuestNeeded.instance;
    return ofJson(value as JsonValue | undefined);
  }
}

/** Whether `undefined` says no more than that the item lacks a field. Of the other roots, the guest may know members that the host does not. */
function isItemField({ root, steps }: Extract<PlainExpression, { kind: 'path' }>): boolean {
  return root.kind === 'scope' && root.name === '$json' && steps.length > 0;
}

/** A field, or `undefined` where an object has none of that name. */
function memberOf(holder: unknown, step: string | number): unknown {
  if (typeof holder === 'string' && step === 'length') return holder.length;
  if (typeof holder !== 'object' || holder === null) throw GuestNeeded.instance;
  if (Object.hasOwn(holder, step)) return (holder as Record<string | number, unknown>)[step];
  if (Array.isArray(holder) || objectNames.has(step)) throw GuestNeeded.instance;
  return undefined;
}

/** Numbers that JSON has no text for are another value on the other side. */
function ofJson(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))) throw GuestNeeded.instance;
  return value;
}

function primitive(value: JsonValue | undefined): Primitive {
  if (typeof value === 'object' && value !== null) throw GuestNeeded.instance;
  return value;
}

/** To the type checker both sides are numbers; the language takes them for what they are. */
function binary(operator: BinaryOperator, ...operands: [Primitive, Primitive]): JsonValue {
  const [left, right] = operands as [number, number];
  switch (operator) {
    case '===':
      return left === right;
    case '!==':
      return left !== right;
    case '==':
      // biome-ignore lint/suspicious/noDoubleEquals: that is what the expression says
      return left == right;
    case '!=':
      // biome-ignore lint/suspicious/noDoubleEquals: that is what the expression says
      return left != right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '%':
      return left % right;
    default:
      return assertNever(operator);
  }
}
