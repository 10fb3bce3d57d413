import type { Tracer as Otel } from '@opentelemetry/api';
import { type Context, context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { isAppError, type OpenSpan, type SpanStart, type Tracer } from '@sluice/domain';

const kinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT };

/** A process tracer based on OpenTelemetry. */
export class OtelTracer implements Tracer {
  readonly #otel: Otel;

  constructor(otel: Otel) {
    this.#otel = otel;
  }

  current(): string | undefined {
    const spanContext = trace.getActiveSpan()?.spanContext();
    if (!spanContext) return undefined;
    return `00-${spanContext.traceId}-${spanContext.spanId}-${spanContext.traceFlags.toString(16).padStart(2, '0')}`;
  }

  fields(): { traceId?: string; spanId?: string } {
    const spanContext = trace.getActiveSpan()?.spanContext();
    return spanContext ? { traceId: spanContext.traceId, spanId: spanContext.spanId } : {};
  }

  span<T>({ name, kind, parent, attributes }: SpanStart, work: (span: OpenSpan) => T): T {
    const under = isEntry(kind) ? remote(parent) : context.active();
    const span = this.#otel.startSpan(name, { ...(kind && { kind: kinds[kind] }), ...(attributes && { attributes }) }, under);
    return context.with(trace.setSpan(under, span), () => endedWith(span, () => work(openSpan(span))));
  }
}

/**
 * The code that calls an entry point is not its cause: it may belong to another execution that just
 * ended.
 */
const isEntry = (kind: SpanStart['kind']) => kind === 'server' || kind === 'consumer';

function remote(traceparent: string | undefined): Context {
  const spanContext = traceparent === undefined ? null : parseTraceParent(traceparent);
  return spanContext ? trace.setSpanContext(ROOT_CONTEXT, { ...spanContext, isRemote: true }) : ROOT_CONTEXT;
}

function endedWith<T>(span: Span, work: () => T): T {
  try {
    const result = work();
    if (!(result instanceof Promise)) {
      span.end();
      return result;
    }
    return result
      .catch((error: unknown) => {
        failWith(span, error);
        throw error;
      })
      .finally(() => span.end()) as T;
  } catch (error) {
    failWith(span, error);
    span.end();
    throw error;
  }
}

function failWith(span: Span, error: unknown): void {
  openSpan(span).fail(isAppError(error) ? error.code : 'ERROR');
}

function openSpan(span: Span): OpenSpan {
  return {
    set: (name, value) => void span.setAttribute(name, value),
    rename: (name) => void span.updateName(name),
    fail(code) {
      span.setAttribute('error.type', code);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
  };
}
