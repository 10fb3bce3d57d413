import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedEvent {
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests access events freely
  body: any;
}

/** A receiver of events that responds with `status`. */
export class EventReceiver {
  readonly received: ReceivedEvent[] = [];
  status = 200;
  readonly #server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    this.received.push({ headers: request.headers, text, body: JSON.parse(text) });
    response.writeHead(this.status).end();
  });

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/events`;
  }

  get types(): string[] {
    return this.received.map(({ body }) => body.type);
  }

  async start(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
