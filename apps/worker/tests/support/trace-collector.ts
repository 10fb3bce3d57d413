import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { LoopbackService } from '@sluice/http-client/testing';

interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  status: { code: number };
  attributes: Record<string, unknown>;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

/** A collector of OTLP over HTTP in JSON. */
export class TraceCollector extends LoopbackService {
  readonly spans: CollectedSpan[] = [];

  override get url(): string {
    return `${super.url}/v1/traces`;
  }

  named(name: string): CollectedSpan[] {
    return this.spans.filter((span) => span.name === name);
  }

  protected async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // biome-ignore lint/suspicious/noExplicitAny: spans are read freely
    const { resourceSpans } = (await json(request)) as any;
    for (const { scopeSpans } of resourceSpans)
      for (const { spans } of scopeSpans)
        this.spans.push(...spans.map((span: { attributes: Attribute[] }) => ({ ...span, attributes: plain(span.attributes) })));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }
}

function plain(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
