/** A unit of work in a trace. Its attributes hold no data and no secrets. */
export interface SpanStart {
  name: string;
  /** Default: work within the process. */
  kind?: 'server' | 'consumer' | 'client';
  /**
   * For `server` and `consumer`: `traceparent` (W3C Trace Context) of the work that caused it;
   * absent: a new trace. Other spans belong to the calling code's trace.
   */
  parent?: string | undefined;
  attributes?: Readonly<Record<string, string | number>>;
}

export interface OpenSpan {
  set(name: string, value: string | number | boolean): void;
  rename(name: string): void;
  /** `code`: an error code, not a message, which may contain data. */
  fail(code: string): void;
}

export interface Tracer {
  /** `traceparent` of the calling code; `undefined` outside of spans. */
  current(): string | undefined;
  /** Fields of log lines. */
  fields(): { traceId?: string; spanId?: string };
  /** Runs work in a span that ends with it, even if it returns a promise. Errors are passed on. */
  span<T>(start: SpanStart, work: (span: OpenSpan) => T): T;
}

/** The tracer of the process; `undefined` while traces are off, so that they cost nothing else. */
export const tracing: { tracer: Tracer | undefined } = { tracer: undefined };

/** Fields of the calling code's span for a log line; empty outside of spans. */
export const traceFields = (): { traceId?: string; spanId?: string } => tracing.tracer?.fields() ?? {};

const shape = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Whether a string is a `traceparent` of version 00. */
export function isTraceparent(text: unknown): text is string {
  return typeof text === 'string' && shape.test(text);
}
