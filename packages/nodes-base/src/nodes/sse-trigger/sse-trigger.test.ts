import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { createHttpClient } from '@sluice/http-client';
import { AppError } from '@sluice/node-sdk';
import { type FakeListener, type ListenOptions, listen, MemoryBudget } from '@sluice/node-sdk/testing';
import { eventually } from '@sluice/test-support';
import { type HttpTestServer, httpServer } from '../../testing/http-server.ts';
import { example } from './example.ts';
import { sseTrigger } from './sse-trigger.ts';

const http = createHttpClient({ ssrfProtection: 'off', ssrfAllow: [] });
const listeners: FakeListener[] = [];
let streams: ServerResponse[];
let answer: (response: ServerResponse) => void;
let server: HttpTestServer;

const openStream = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).flushHeaders();
  streams.push(response);
};

beforeEach(async () => {
  [streams, answer] = [[], openStream];
  server = await httpServer((_, response) => answer(response));
});
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close();
  await server.close();
});
afterAll(() => http.close());

async function start(more: ListenOptions = {}): Promise<FakeListener> {
  const listener = await listen(sseTrigger, { http, parameters: { url: `${server.origin}/events` }, ...more });
  listeners.push(listener);
  return listener;
}

const jsonOf = ({ events }: FakeListener) => events.map(({ items }) => items.map(({ json }) => json));

test('the example works', async () => {
  const listener = await start();
  streams[0]?.write('data: {"price":5}\n\n');
  await eventually(() => expect(jsonOf(listener)).toEqual(example.outputs));
});

test('each event starts one execution, in order, regardless of how the stream is split into chunks', async () => {
  const listener = await start();
  for (const piece of [': hello\n', 'data: ä', '1\r\n\r\ndata: a\ndata: b\n\nid: x\n\n', 'event: end\ndata: 3\n', '\n'])
    streams[0]?.write(piece);
  await eventually(() => expect(jsonOf(listener)).toEqual([[{ data: 'ä1' }], [{ data: 'a\nb' }], [{ data: 3 }]]));
});

test('when the server ends the stream, it continues after the last event', async () => {
  const listener = await start();
  streams[0]?.end('retry: 1\nid: 7\ndata: a\n\n');
  await eventually(() => expect(streams).toHaveLength(2));
  expect(server.received.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '7']);
  streams[1]?.write('data: b\n\n');
  await eventually(() => expect(jsonOf(listener)).toEqual([[{ data: 'a' }], [{ data: 'b' }]]));
  expect(listener.failures).toEqual([]);
});

test('a restarted listener continues after the last event that started an execution', async () => {
  const beforeCommit = ({ items }: { items: readonly { json: object }[] }) => {
    if (JSON.stringify(items).includes('lost')) throw new AppError({ code: 'TRIGGER_CLOSED', message: 'no' });
  };
  const before = await start({ beforeCommit });
  streams[0]?.write('id: 1\ndata: a\n\nid: 2\ndata: lost\n\nid: 3\ndata: later\n\n');
  await eventually(() => expect(before.failures).toHaveLength(1));
  expect(jsonOf(before)).toEqual([[{ data: 'a' }]]);
  expect(before.cursor).toEqual({ lastEventId: '1' });
  await start(before.cursor ? { cursor: before.cursor } : {});
  expect(server.received.at(-1)?.headers['last-event-id']).toBe('1');
});

test('a response that is not an event stream prevents the start', async () => {
  answer = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>');
  await expect(start()).rejects.toThrow('is not text/event-stream');
  answer = (response) => response.writeHead(403).end();
  await expect(start()).rejects.toMatchObject({ message: 'the server responded with 403', details: { status: 403 } });
  await expect(start({ parameters: { url: 'file:///etc/passwd' } })).rejects.toMatchObject({ code: 'HTTP_INVALID_URL' });
});

test('a server that later stops its events is reported', async () => {
  const listener = await start();
  answer = (response) => response.writeHead(204).end();
  streams[0]?.end('retry: 1\n\n');
  await eventually(() => expect(listener.failures).toMatchObject([{ message: expect.stringContaining('204') }]));
});

test('an endless event is not read to its end', async () => {
  const listener = await start();
  const piece = `data: ${'x'.repeat(1024 * 1024)}\n`;
  for (let n = 0; n < 20; n++) streams[0]?.write(piece);
  await eventually(() => expect(listener.failures).toMatchObject([{ code: 'RESULT_TOO_LARGE' }]));
});

test('a closed listener emits nothing and closes its connection', async () => {
  const listener = await start();
  const closed = new Promise((resolve) => streams[0]?.once('close', resolve));
  await listener.close();
  await closed;
  expect(listener.failures).toEqual([]);
});

test('an event counts as memory of the listener while it arrives, and until its execution is committed', async () => {
  const memory = new MemoryBudget({ limit: 1, inUse: () => 0 }).open(new AbortController().signal, { isEndless: true });
  const listener = await memory.run(() => start());
  const text = 'x'.repeat(100_000);
  streams[0]?.write(`data: ${text}`);
  await eventually(() => memory.size >= 2 * text.length);
  streams[0]?.write('\n\n');
  await eventually(() => listener.events.length === 1);
  await eventually(() => memory.size === 0);
});
