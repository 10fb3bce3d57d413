import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import { tracing } from '@sluice/domain';
import { OtelTracer } from './otel-tracer.ts';

export interface TracingOptions {
  /** Name of the process in traces. */
  service: string;
  /** Trace endpoint of a collector: OTLP over HTTP, including the path. */
  url: string;
  /**
   * Share of the traces started here that are kept, from 0 to 1. Other traces follow the caller's
   * decision.
   */
  ratio: number;
}

/**
 * Sets the tracer of the process. Spans are exported in batches; those that the collector does not
 * accept are dropped. Await `close` before the process exits, or the last spans are lost.
 */
export function startTracing({ service, url, ratio }: TracingOptions): { close(): Promise<void> } {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'process.pid': process.pid }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }), scheduledDelayMillis: 1_000 })],
  });
  const manager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
  tracing.tracer = new OtelTracer(provider.getTracer('sluice'));
  return {
    async close() {
      tracing.tracer = undefined;
      await provider.shutdown().catch(() => undefined);
      context.disable();
    },
  };
}
