import { expect, test } from '@jest/globals';
import { readEvents, type ServerEvent } from './event-stream.ts';

async function eventsOf(chunks: readonly string[]): Promise<ServerEvent[]> {
  const encoder = new TextEncoder();
  const stream = ReadableStream.from(chunks.map((chunk) => encoder.encode(chunk)));
  const events: ServerEvent[] = [];
  for await (const event of readEvents(stream as never)) events.push(event);
  return events;
}

test('reads events across chunks, and skips comments and an incomplete last event', async () => {
  const text = ': ping\n\nid: 1\nevent: status\ndata: {"a":1}\n\ndata: x:y\r\ndata: z\r\n\r\nevent: cut\ndata: off';
  const expected = [
    { id: '1', event: 'status', data: '{"a":1}' },
    { id: undefined, event: 'message', data: 'x:y\nz' },
  ];
  expect(await eventsOf([text])).toEqual(expected);
  expect(await eventsOf(text.split(/(?<=.)/s))).toEqual(expected);
});

test('Unicode line separators, which JSON does not escape, do not end a line', async () => {
  const data = JSON.stringify({ message: 'one\u2028two\u2029three' });
  expect(await eventsOf([`data: ${data}\n\n`])).toEqual([{ id: undefined, event: 'message', data }]);
});
