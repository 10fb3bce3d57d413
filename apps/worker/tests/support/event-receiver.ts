import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { LoopbackService } from '@sluice/http-client/testing';

export interface ReceivedEvent {
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests access events freely
  body: any;
}

/** A receiver of events that responds with `status`. */
export class EventReceiver extends LoopbackService {
  readonly received: ReceivedEvent[] = [];
  status = 200;

  override get url(): string {
    return `${super.url}/events`;
  }

  get types(): string[] {
    return this.received.map(({ body }) => body.type);
  }

  protected async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await text(request);
    this.received.push({ headers: request.headers, text: received, body: JSON.parse(received) });
    response.writeHead(this.status).end();
  }
}
