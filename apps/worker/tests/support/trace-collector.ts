import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

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
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  readonly #server: Server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    for (const { scopeSpans } of JSON.parse(text).resourceSpans)
      for (const { spans } of scopeSpans)
        this.spans.push(...spans.map((span: { attributes: Attribute[] }) => ({ ...span, attributes: plain(span.attributes) })));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });

  async start(): Promise<string> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1/traces`;
  }

  named(name: string): CollectedSpan[] {
    return this.spans.filter((span) => span.name === name);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

function plain(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
