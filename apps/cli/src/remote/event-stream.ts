import type { ReadableStream } from 'node:stream/web';
import { StringDecoder } from 'node:string_decoder';

/** One server-sent event. */
export interface ServerEvent {
  id: string | undefined;
  event: string;
  data: string;
}

/**
 * Reads the events of a `text/event-stream`. Does not use eventsource-parser: in a checkout, this
 * command runs with the condition `source`, for which that package exports files that Node cannot
 * load.
 */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  let fields = new Map<string, string>();
  for await (const line of readLines(stream)) {
    if (line !== '') {
      const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      const previous = name === 'data' ? fields.get(name) : undefined;
      fields.set(name, previous === undefined ? value : `${previous}\n${value}`);
      continue;
    }
    const data = fields.get('data');
    if (data !== undefined) yield { id: fields.get('id'), event: fields.get('event') ?? 'message', data };
    fields = new Map();
  }
}

/** Not `node:readline`, which also ends lines at U+2028 and U+2029: JSON may contain both. */
async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new StringDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.replace(/\r$/, '');
  }
}
