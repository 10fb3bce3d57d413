import { type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import type { SqlDialect, SqlStatement } from './sql-dialect.ts';

/** A column and its value, in the order of the statement. */
export type ColumnValue = readonly [column: string, value: JsonValue];

export interface Condition {
  column: string;
  operator: string;
  value: JsonValue;
}

const operators: ReadonlyMap<string, string> = new Map([
  ['equal', '='],
  ['=', '='],
  ['!=', '!='],
  ['LIKE', 'LIKE'],
  ['>', '>'],
  ['<', '<'],
  ['>=', '>='],
  ['<=', '<='],
  ['IS NULL', 'IS NULL'],
  ['IS NOT NULL', 'IS NOT NULL'],
]);

/** Puts a statement together: the text on one side, values on the other. */
export class StatementBuilder {
  readonly #dialect: SqlDialect;
  readonly #values: JsonValue[] = [];

  constructor(dialect: SqlDialect) {
    this.#dialect = dialect;
  }

  /** The placeholder of a value. */
  bind(value: JsonValue): string {
    return this.#dialect.placeholder(this.#values.push(value));
  }

  name(name: string): string {
    return this.#dialect.quoteName(name);
  }

  names(names: readonly string[]): string {
    return names.map((name) => this.name(name)).join(', ');
  }

  /** `*` stands for all columns. */
  columns(names: readonly string[]): string {
    return names.length === 0 || names.includes('*') ? '*' : this.names(names);
  }

  assignments(values: readonly ColumnValue[]): string {
    return values.map(([column, value]) => `${this.name(column)} = ${this.bind(value)}`).join(', ');
  }

  /** ` WHERE …`; empty where there is no condition. Throws for an operator that it does not know. */
  where(conditions: readonly Condition[], combine: 'AND' | 'OR' = 'AND'): string {
    if (conditions.length === 0) return '';
    const written = conditions.map(({ column, operator, value }) => {
      const sign = operators.get(operator);
      if (sign === undefined)
        throw new NodeOperationError(`"${operator}" is not a condition that is known`, {
          description: 'Choose a condition of the list',
        });
      return sign.startsWith('IS ') ? `${this.name(column)} ${sign}` : `${this.name(column)} ${sign} ${this.bind(value)}`;
    });
    return ` WHERE ${written.join(` ${combine} `)}`;
  }

  build(text: string): SqlStatement {
    return { text, values: this.#values };
  }
}

/** The conditions that a row has the given values; null is told apart by `IS NULL`. */
export function matching(values: readonly ColumnValue[]): Condition[] {
  return values.map(([column, value]) => ({ column, operator: value === null ? 'IS NULL' : 'equal', value }));
}
