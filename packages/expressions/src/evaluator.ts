import { assertNever } from '@sluice/domain';
import { BeyondHost, type HostBudget } from './budget.ts';
import type { BinaryOperator, HostExpression, Primitive } from './expression.ts';
import { maxPrintDepth } from './limits.ts';

/**
 * Returns the value of one of the language's reads. It may evaluate the expressions within the
 * read.
 */
type ReadValue<Read> = (read: Read, evaluate: (expression: HostExpression<Read>) => unknown) => unknown;

/**
 * Evaluates expressions in the host. Operators apply only to text, finite numbers, booleans, null,
 * and undefined: for these, the host's operators match the language and call no code. An object as
 * an operand throws `BeyondHost`, as does a spent budget.
 */
export class Evaluator<Read> {
  readonly #readValue: ReadValue<Read>;
  readonly #budget: HostBudget;
  readonly #readsSeeUndefined: boolean;
  readonly #memberOf: (value: object) => object;
  /** Reads whose expressions are being evaluated. */
  #openReads = 0;

  /**
   * @param readsSeeUndefined whether reads observe undefined members of literals, as functions of
   * JavaScript do: such literals within a read throw `BeyondHost`. Otherwise, literals are JSON
   * everywhere.
   * @param memberOf returns an array or object as a member of a literal; by default, it throws
   * `BeyondHost`.
   */
  constructor(
    readValue: ReadValue<Read>,
    budget: HostBudget,
    { readsSeeUndefined = false, memberOf = refuse }: { readsSeeUndefined?: boolean; memberOf?: typeof refuse } = {},
  ) {
    this.#readValue = readValue;
    this.#budget = budget;
    this.#readsSeeUndefined = readsSeeUndefined;
    this.#memberOf = memberOf;
  }

  readonly valueOf = (expression: HostExpression<Read>): unknown => {
    this.#budget.spendWork(1);
    switch (expression.kind) {
      case 'literal':
        return expression.value;
      case 'read':
        return this.#read(expression.read);
      case 'unary':
        return this.#unary(expression);
      case 'binary': {
        const left = this.#operand(expression.left);
        return this.#charged(binary(expression.operator, left, this.#operand(expression.right)));
      }
      case 'logical':
        return this.#logical(expression);
      case 'conditional':
        return this.valueOf(this.valueOf(expression.test) ? expression.yes : expression.no);
      case 'object':
        return this.#object(expression);
      case 'array':
        return expression.elements.map((element) => this.#member(element) ?? null);
      case 'text':
        return expression.pieces.map((piece) => String(this.#operand(piece))).join('');
      default:
        return assertNever(expression);
    }
  };

  /**
   * Converts a value within text as the language does: null and undefined to nothing, lists with
   * commas. Calls no code.
   */
  textOf(value: unknown, depth = 0): string {
    if (value === undefined || value === null) return '';
    if (typeof value !== 'object') return this.#charged(String(value));
    if (!Array.isArray(value)) return this.#charged('[object Object]');
    if (depth === maxPrintDepth) throw BeyondHost.instance;
    this.#budget.spendWork(value.length);
    this.#budget.spendText(value.length);
    return value.map((element) => this.textOf(element, depth + 1)).join(',');
  }

  #read(read: Read): unknown {
    this.#openReads += 1;
    try {
      return this.#readValue(read, this.valueOf);
    } finally {
      this.#openReads -= 1;
    }
  }

  #unary({ operator, operand }: Extract<HostExpression<Read>, { kind: 'unary' }>): Primitive {
    if (operator === '!') return !this.valueOf(operand);
    const number = Number(this.#operand(operand));
    return operator === '-' ? -number : number;
  }

  #logical({ operator, left, right }: Extract<HostExpression<Read>, { kind: 'logical' }>): unknown {
    const value = this.valueOf(left);
    const decides = operator === '??' ? value !== null && value !== undefined : Boolean(value) === (operator === '||');
    return decides ? value : this.valueOf(right);
  }

  /**
   * Members that are undefined are omitted, as in JSON. A repeated key keeps its position, not its
   * value.
   */
  #object({ members }: Extract<HostExpression<Read>, { kind: 'object' }>): object {
    const values = new Map(members.map(({ key, value }) => [key, this.#member(value)] as const));
    return Object.fromEntries([...values].filter(([, value]) => value !== undefined));
  }

  /** The language decides about data within literals. Undefined members are not kept. */
  #member(expression: HostExpression<Read>): unknown {
    const value = this.valueOf(expression);
    if (value === undefined && this.#readsSeeUndefined && this.#openReads > 0) throw BeyondHost.instance;
    if (expression.kind === 'object' || expression.kind === 'array') return value;
    if (typeof value === 'object' && value !== null) return this.#memberOf(value);
    return jsonNumber(this.#charged(primitive(value)));
  }

  /** Rejects objects, whose methods operators call, and limits text. */
  #operand(expression: HostExpression<Read>): Primitive {
    return this.#charged(primitive(this.valueOf(expression)));
  }

  #charged<Value>(value: Value): Value {
    if (typeof value === 'string') this.#budget.spendText(value.length);
    return value;
  }
}

/** Returns the value; throws `BeyondHost` for a number without a JSON form. */
export function jsonNumber<Value>(value: Value): Value {
  if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))) throw BeyondHost.instance;
  return value;
}

function refuse(_value: object): object {
  throw BeyondHost.instance;
}

function primitive(value: unknown): Primitive {
  if ((typeof value === 'object' && value !== null) || typeof value === 'function') throw BeyondHost.instance;
  return value as Primitive;
}

/** The types say number, but operands may be any primitive, as in the language. */
function binary(operator: BinaryOperator, ...operands: [Primitive, Primitive]): Primitive {
  const [left, right] = operands as [number, number];
  switch (operator) {
    case '===':
      return left === right;
    case '!==':
      return left !== right;
    case '==':
      // biome-ignore lint/suspicious/noDoubleEquals: the expression says so
      return left == right;
    case '!=':
      // biome-ignore lint/suspicious/noDoubleEquals: the expression says so
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
