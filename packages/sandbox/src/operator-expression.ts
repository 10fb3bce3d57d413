import { type PlainExpression, readPlainExpression } from './plain-expression.ts';
import { SourceReader } from './source-reader.ts';

export type UnaryOperator = '!' | '-' | '+';
export type BinaryOperator = '===' | '!==' | '==' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | '/' | '%';
export type LogicalOperator = '&&' | '||' | '??';

/** Literals and paths joined by operators: it calls nothing and writes nothing. */
export type OperatorExpression =
  | PlainExpression
  | { kind: 'unary'; operator: UnaryOperator; operand: OperatorExpression }
  | { kind: 'binary'; operator: BinaryOperator; left: OperatorExpression; right: OperatorExpression }
  | { kind: 'logical'; operator: LogicalOperator; left: OperatorExpression; right: OperatorExpression }
  | { kind: 'conditional'; test: OperatorExpression; yes: OperatorExpression; no: OperatorExpression }
  | { kind: 'object'; members: readonly { key: string; value: OperatorExpression }[] }
  | { kind: 'array'; elements: readonly OperatorExpression[] };

/** Operands, operators, brackets of one expression; what is larger is rare, and the guest's. */
const maxParts = 64;

/** How tightly operators bind; those of one row from left to right. */
const precedence = new Map<string, number>(
  [['||', '??'], ['&&'], ['===', '!==', '==', '!='], ['<', '<=', '>', '>='], ['+', '-'], ['*', '/', '%']].flatMap(
    (row, level) => row.map((operator) => [operator, level] as const),
  ),
);

/** Reads the source of a `{{ }}`; `undefined` when there is more to it, which is the guest's to run. */
export function parseOperatorExpression(source: string): OperatorExpression | undefined {
  return new Parser(source).parse();
}

class Parser {
  readonly #reader: SourceReader;
  #parts = 0;

  constructor(source: string) {
    this.#reader = new SourceReader(source);
  }

  parse(): OperatorExpression | undefined {
    if (this.#reader.atEnd()) return { kind: 'literal', value: undefined };
    const expression = this.#conditional();
    return this.#reader.atEnd() ? expression : undefined;
  }

  #conditional(): OperatorExpression | undefined {
    const test = this.#binary(0, new Set());
    if (!test || !this.#reader.eat('?')) return test;
    const yes = this.#conditional();
    if (!yes || !this.#reader.eat(':')) return undefined;
    const no = this.#conditional();
    return no && { kind: 'conditional', test, yes, no };
  }

  /** `seen`: the logical operators between this pair of brackets. The language does not let `??` stand beside the others. */
  #binary(least: number, seen: Set<string>): OperatorExpression | undefined {
    let left = this.#operand();
    while (left) {
      const start = this.#reader.position;
      const operator = this.#reader.binaryOperator();
      const level = operator === undefined ? -1 : (precedence.get(operator) ?? -1);
      if (operator === undefined || level < least) {
        this.#reader.position = start;
        return left;
      }
      if (isLogical(operator) && seen.add(operator).has('??') && seen.size > 1) return undefined;
      const right = this.#binary(level + 1, seen);
      left = right && joined(operator, left, right);
    }
    return undefined;
  }

  #operand(): OperatorExpression | undefined {
    this.#parts += 1;
    if (this.#parts > maxParts) return undefined;
    const reader = this.#reader;
    if (reader.eat('(')) {
      const inner = this.#conditional();
      return reader.eat(')') ? inner : undefined;
    }
    if (reader.eat('{')) return this.#object();
    if (reader.eat('[')) return this.#array();
    const start = reader.position;
    const plain = readPlainExpression(reader);
    if (plain) return plain;
    reader.position = start;
    const operator = reader.unaryOperator() as UnaryOperator | undefined;
    const operand = operator && this.#operand();
    return operand && { kind: 'unary', operator, operand };
  }

  /** What follows a `{`. Keys are names and texts; `__proto__` would not be a key like the others. */
  #object(): OperatorExpression | undefined {
    const members: { key: string; value: OperatorExpression }[] = [];
    while (!this.#reader.eat('}')) {
      if (this.#reader.peek('`')) return undefined;
      const key = this.#reader.string() ?? this.#reader.identifier();
      if (key === undefined || key === '__proto__' || !this.#reader.eat(':')) return undefined;
      const value = this.#conditional();
      if (!value) return undefined;
      members.push({ key, value });
      if (!this.#reader.eat(',') && !this.#reader.peek('}')) return undefined;
    }
    return { kind: 'object', members };
  }

  /** What follows a `[`. */
  #array(): OperatorExpression | undefined {
    const elements: OperatorExpression[] = [];
    while (!this.#reader.eat(']')) {
      const element = this.#conditional();
      if (!element) return undefined;
      elements.push(element);
      if (!this.#reader.eat(',') && !this.#reader.peek(']')) return undefined;
    }
    return { kind: 'array', elements };
  }
}

function isLogical(operator: string): operator is LogicalOperator {
  return operator === '&&' || operator === '||' || operator === '??';
}

function joined(operator: string, left: OperatorExpression, right: OperatorExpression): OperatorExpression {
  if (isLogical(operator)) return { kind: 'logical', operator, left, right };
  return { kind: 'binary', operator: operator as BinaryOperator, left, right };
}
