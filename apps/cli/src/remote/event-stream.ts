import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** One server-sent event. */
export interface ServerEvent {
  id: string | undefined;
  event: string;
  data: string;
}

/**
 * The events of a `text/event-stream`. Not with eventsource-parser: its package has the condition
 * `source`, with which this command runs in a checkout, for files that Node cannot load.
 */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  let fields = new Map<string, string>();
  for await (const line of createInterface({ input: Readable.fromWeb(stream), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line !== '') {
      const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
      const earlier = name === 'data' ? fields.get(name) : undefined;
      fields.set(name, earlier === undefined ? value : `${earlier}\n${value}`);
      continue;
    }
    const data = fields.get('data');
    if (data !== undefined) yield { id: fields.get('id'), event: fields.get('event') ?? 'message', data };
    fields = new Map();
  }
}
