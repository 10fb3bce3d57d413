import type { JsonObject, JsonValue } from '@sluice/node-sdk';

/** What differs between databases in how a statement is written. */
export interface SqlDialect {
  /** What stands for a bound value; `position` counts from 1. */
  placeholder(position: number): string;
  /** A name of a table or column, quoted by the database's own library. */
  quoteName(name: string): string;
  /** Strings may stand in `$tag$ … $tag$`, and comments in one another. */
  dollarQuotes: boolean;
  /** `\'` within a string, `#` before a comment, and strings in double quotes too. */
  backslashes: boolean;
}

/** A statement whose values travel apart from its text. */
export interface SqlStatement {
  text: string;
  values: readonly JsonValue[];
}

/** What a statement gave. */
export interface SqlResult {
  /** As JSON. Empty also where the statement gives no rows by its nature. */
  rows: readonly JsonObject[];
  /** What the server says of a statement that changes data; absent where it says nothing. */
  summary?: JsonObject;
}

/** One connection. Whoever opens it closes it. */
export interface SqlSession {
  readonly dialect: SqlDialect;
  /** Throws the server's error as a `NodeOperationError` without item. */
  run(statement: SqlStatement): Promise<readonly SqlResult[]>;
  close(): Promise<void>;
}
