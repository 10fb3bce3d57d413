import type { JsonObject, JsonValue } from '@sluice/node-sdk';

/** Syntax differences between databases. */
export interface SqlDialect {
  /** Placeholder of a bound value; `position` starts at 1. */
  placeholder(position: number): string;
  /** A table or column name, quoted by the database's library. */
  quoteName(name: string): string;
  /** Whether strings may be written as `$tag$ … $tag$`, and comments nest. */
  dollarQuotes: boolean;
  /** Whether the dialect has `\'` in strings, `#` comments, and strings in double quotes. */
  backslashes: boolean;
}

/** A statement whose values are sent separately from its text. */
export interface SqlStatement {
  text: string;
  values: readonly JsonValue[];
}

/** Result of a statement. */
export interface SqlResult {
  /** As JSON. Also empty for a statement that returns no rows. */
  rows: readonly JsonObject[];
  /** The server's summary of a data change; absent if the server sends no summary. */
  summary?: JsonObject;
}

/** One connection. The caller that opens it closes it. */
export interface SqlSession {
  readonly dialect: SqlDialect;
  /** Throws the server's error as a `NodeOperationError` without an item. */
  run(statement: SqlStatement): Promise<readonly SqlResult[]>;
  close(): Promise<void>;
}
