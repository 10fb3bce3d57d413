type Write = (fields: object, message: string) => void;

/** The part of a logger that code needs which only writes lines: `Logger` has it, and so has the logger of nodes. */
export interface PlainLogger {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
}
