import { errorMessage, isJsonObject } from '@sluice/domain';

type Level = 'info' | 'warning' | 'error' | 'fatal';
type Fields = Readonly<Record<string, unknown>>;

interface BaseErrorOptions {
  description?: string | null | undefined;
  level?: Level | undefined;
  tags?: Record<string, unknown> | undefined;
  extra?: Record<string, unknown> | undefined;
  shouldReport?: boolean | undefined;
  cause?: unknown | undefined;
}

/** Base of the module's errors. */
export class BaseError extends Error {
  level: Level;
  description: string | null | undefined;
  tags: Record<string, unknown>;
  extra: Record<string, unknown> | undefined;
  shouldReport: boolean;

  constructor(message: string, { description, level, tags, extra, shouldReport, cause }: BaseErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.description = description;
    this.level = level ?? 'error';
    this.tags = tags ?? {};
    this.extra = extra;
    this.shouldReport = shouldReport ?? this.level === 'error';
  }
}

/** An error that the user can fix. */
export class UserError extends BaseError {
  constructor(message: string, options: BaseErrorOptions = {}) {
    super(message, { level: 'info', ...options });
  }
}

/** A transient external error, such as a network error. */
export class OperationalError extends BaseError {
  constructor(message: string, options: BaseErrorOptions = {}) {
    super(message, { level: 'warning', ...options });
  }
}

/** A programming error. */
export class UnexpectedError extends BaseError {}

export class ApplicationError extends BaseError {}

/** Errors of a run; `context` contains the location. */
export class ExecutionBaseError extends BaseError {
  readonly timestamp = Date.now();
  context: Record<string, unknown> = {};
  lineNumber: number | undefined;
  functionality = 'regular';
  errorResponse: unknown;

  constructor(message: string, options: BaseErrorOptions & { errorResponse?: unknown } = {}) {
    super(message, options);
    this.errorResponse = options.errorResponse;
  }

  toJSON(): Record<string, unknown> {
    const { message, lineNumber, timestamp, name, description, context, cause } = this;
    return { message, lineNumber, timestamp, name, description, context, cause };
  }
}

export interface NodeErrorOptions {
  message?: string;
  description?: string;
  itemIndex?: number;
  runIndex?: number;
  level?: Level;
  functionality?: string;
  type?: string;
  messageMapping?: Record<string, string>;
  httpCode?: string;
  parsedXml?: boolean;
}

/** An error of a node; `node` is the constructor's argument. */
export class NodeError extends ExecutionBaseError {
  readonly node: unknown;
  messages: string[] = [];
  type: string | undefined;

  constructor(node: unknown, error: unknown, options: NodeErrorOptions = {}) {
    super(options.message ?? messageOf(error), {
      cause: error instanceof Error ? error : undefined,
      description: options.description ?? descriptionOf(error),
      level: options.level ?? 'error',
      errorResponse: typeof error === 'object' ? error : undefined,
    });
    this.node = node;
    this.type = options.type;
    this.functionality = options.functionality ?? 'regular';
    this.context = { ...contextOf(error) };
    for (const key of ['itemIndex', 'runIndex'] as const) if (options[key] !== undefined) this.context[key] = options[key];
    const mapped = Object.entries(options.messageMapping ?? {}).find(([part]) => messageOf(error).includes(part));
    if (mapped) this.message = mapped[1];
  }

  addToMessages(message: string): void {
    if (message !== '' && !this.messages.includes(message)) this.messages.push(message);
  }
}

/** The node cannot perform the requested operation. */
export class NodeOperationError extends NodeError {}

/** The workflow's parameters are invalid. */
export class WorkflowConfigurationError extends NodeOperationError {}

const explanations: Readonly<Record<string, string>> = {
  '400': 'The service refused the request: check the parameters',
  '401': 'The service did not accept the credential',
  '402': 'The service requires payment',
  '403': 'The credential does not allow this',
  '404': 'The service could not find the requested resource',
  '405': 'The service does not allow this method',
  '409': "The request conflicts with the resource's current state",
  '422': 'The service could not process the request',
  '429': 'The service receives too many requests',
  '500': 'The service had an internal error',
  '502': 'The service could not be reached behind its gateway',
  '503': 'The service is not available at the moment',
  '504': 'The service did not respond to its gateway in time',
};

/**
 * A remote service responded with an error or not at all. `httpCode` is the status as text, or the
 * code of the failed connection; null if unknown.
 */
export class NodeApiError extends NodeError {
  httpCode: string | null;

  constructor(node: unknown, errorResponse: unknown, options: NodeErrorOptions = {}) {
    super(node, errorResponse, options);
    this.httpCode = options.httpCode ?? httpCodeOf(errorResponse);
    const remote = remoteMessage(errorResponse);
    const plain = messageOf(errorResponse);
    for (const message of [remote, plain]) if (message !== undefined) this.addToMessages(message);
    const explained = explanations[this.httpCode ?? ''];
    if (options.message === undefined && explained !== undefined && options.messageMapping === undefined)
      this.message = explained;
    else if (options.message === undefined && plain === '') this.message = remote ?? 'The service returned an error';
    this.description = options.description ?? remote ?? (this.message === plain ? this.description : plain);
  }
}

/** A connection failed because of its certificate. */
export class NodeSslError extends ExecutionBaseError {
  constructor(cause: Error) {
    super('The certificate of the service is not trusted; if that is expected, let the node ignore SSL issues', { cause });
  }
}

/** A listener could not be closed. */
export class TriggerCloseError extends ApplicationError {
  readonly node: unknown;

  constructor(node: unknown, options: BaseErrorOptions = {}) {
    super('The trigger could not be closed', options);
    this.node = node;
  }
}

export class ManualExecutionCancelledError extends ExecutionBaseError {
  readonly reason = 'manual';

  constructor(executionId: string) {
    super('The execution was canceled by a user', { level: 'warning', extra: { executionId } });
  }
}

/** The message of an error, or of the value that a service returned as its error. */
function messageOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const { message } = fieldsOf(error);
  if (typeof message === 'string' && message !== '') return message;
  return remoteMessage(error) ?? (typeof error === 'object' ? '' : errorMessage(error));
}

function descriptionOf(error: unknown): string | undefined {
  const { description } = fieldsOf(error);
  return typeof description === 'string' ? description : undefined;
}

function contextOf(error: unknown): Fields {
  return fieldsOf(fieldsOf(error)['context']);
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** Reads the response status from the members that libraries and services use for it. */
function httpCodeOf(error: unknown): string | null {
  const fields = fieldsOf(error);
  const inner = [fields['response'], fields['cause'], fields['error']].map(fieldsOf);
  const candidates = [fields, ...inner].flatMap((at) => ['statusCode', 'status', 'httpCode', 'code'].map((key) => at[key]));
  const code =
    candidates.find((value) => Number(value) >= 100 && Number(value) <= 599) ??
    candidates.find((value) => typeof value === 'string');
  return code === undefined ? null : String(code);
}

const messageKeys = [
  'message',
  'error_description',
  'errorMessage',
  'error',
  'errors',
  'detail',
  'details',
  'description',
  'reason',
  'title',
  'msg',
];

/** The error message in a response body. */
function remoteMessage(error: unknown): string | undefined {
  const fields = fieldsOf(error);
  const response = fieldsOf(fields['response']);
  const bodies = [response['data'], response['body'], fields['error'], error instanceof Error ? undefined : error];
  return bodies.map((body) => textIn(body, 3)).find((text) => text !== undefined);
}

function textIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (depth === 0 || typeof value !== 'object' || value === null || value instanceof Uint8Array) return undefined;
  if (Array.isArray(value))
    return (
      value
        .map((one) => textIn(one, depth - 1))
        .filter((text) => text !== undefined)
        .join('; ') || undefined
    );
  if (!isJsonObject(value)) return undefined;
  return messageKeys.map((key) => textIn(fieldsOf(value)[key], depth - 1)).find((text) => text !== undefined);
}
