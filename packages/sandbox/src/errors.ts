import { AppError, type JsonObject, UnavailableError } from '@sluice/domain';

interface ExpressionErrorOptions {
  message: string;
  /** Dotted path of the parameter that contains the expression. */
  parameter: string;
  itemIndex?: number;
  /** A hint for the author. Absent: where to look. */
  hint?: string | undefined;
}

/**
 * An expression without a value: it does not parse, is rejected, threw, or exceeded the time or
 * memory limit.
 */
export class ExpressionError extends AppError {
  readonly parameter: string;
  readonly itemIndex: number | undefined;
  /** A hint for the author. */
  readonly description: string;

  constructor({ message, parameter, itemIndex, hint }: ExpressionErrorOptions) {
    const details: JsonObject = { parameter };
    if (itemIndex !== undefined) details['itemIndex'] = itemIndex;
    super({ code: 'EXPRESSION_ERROR', message, details });
    this.parameter = parameter;
    this.itemIndex = itemIndex;
    this.description = hint ?? `Check the expression in the parameter "${parameter}".`;
  }
}

type CodeErrorCode = 'CODE_ERROR' | 'CODE_TIMEOUT' | 'CODE_MEMORY';

export interface CodeErrorOptions {
  message: string;
  code?: CodeErrorCode;
  /** 1-based line of the user's source. */
  line?: number | undefined;
  itemIndex?: number | undefined;
  /** A hint for the author. Absent: where to look. */
  hint?: string | undefined;
  /** Console output of the code before it failed. */
  logs?: string[];
}

/**
 * User code that threw, returned something other than items, or exceeded the time or memory limit.
 */
export class CodeError extends AppError {
  readonly line: number | undefined;
  readonly itemIndex: number | undefined;
  /** A hint for the author. */
  readonly description: string;
  readonly logs: readonly string[];

  constructor({ message, code = 'CODE_ERROR', line, itemIndex, hint, logs = [] }: CodeErrorOptions) {
    const details: JsonObject = {};
    if (line !== undefined) details['line'] = line;
    if (itemIndex !== undefined) details['itemIndex'] = itemIndex;
    super({ code, message, details });
    this.line = line;
    this.itemIndex = itemIndex;
    this.description = hint ?? (line === undefined ? 'Check the code of the node.' : `Look at line ${line} of the code.`);
    this.logs = logs;
  }
}

export function closedError(): UnavailableError {
  return new UnavailableError('the sandbox is closed');
}
