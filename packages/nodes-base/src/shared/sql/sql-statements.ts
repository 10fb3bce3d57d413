import { type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import type { SqlDialect, SqlStatement } from './sql-dialect.ts';

/** A column and its value, in statement order. */
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

/** Builds a statement, with the values separate from the text. */
export class StatementBuilder {
  readonly #dialect: SqlDialect;
  readonly #values: JsonValue[] = [];

  constructor(dialect: SqlDialect) {
    this.#dialect = dialect;
  }

  /** Binds a value and returns its placeholder. */
  bind(value: JsonValue): string {
    return this.#dialect.placeholder(this.#values.push(value));
  }

  name(name: string): string {
    return this.#dialect.quoteName(name);
  }

  names(names: readonly string[]): string {
    return names.map((name) => this.name(name)).join(', ');
  }

  /** `*` means all columns. */
  columns(names: readonly string[]): string {
    return names.length === 0 || names.includes('*') ? '*' : this.names(names);
  }

  assignments(values: readonly ColumnValue[]): string {
    return values.map(([column, value]) => `${this.name(column)} = ${this.bind(value)}`).join(', ');
  }

  /** ` WHERE …`; empty without conditions. Throws for an unknown operator. */
  where(conditions: readonly Condition[], combine: 'AND' | 'OR' = 'AND'): string {
    if (conditions.length === 0) return '';
    const written = conditions.map(({ column, operator, value }) => {
      const sign = operators.get(operator);
      if (sign === undefined)
        throw new NodeOperationError(`"${operator}" is not a known condition`, {
          description: 'Choose a condition from the list',
        });
      return sign.startsWith('IS ') ? `${this.name(column)} ${sign}` : `${this.name(column)} ${sign} ${this.bind(value)}`;
    });
    return ` WHERE ${written.join(` ${combine} `)}`;
  }

  build(text: string): SqlStatement {
    return { text, values: this.#values };
  }
}

/** Conditions that match rows with the given values; null is matched with `IS NULL`. */
export function matching(values: readonly ColumnValue[]): Condition[] {
  return values.map(([column, value]) => ({ column, operator: value === null ? 'IS NULL' : 'equal', value }));
}
