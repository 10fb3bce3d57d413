type Write = (fields: object, message: string) => void;

/**
 * The part of a logger that only writes lines: `Logger` implements it, and so does the logger of
 * nodes.
 */
export interface PlainLogger {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
}
