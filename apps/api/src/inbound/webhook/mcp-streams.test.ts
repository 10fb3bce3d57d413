import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { WebhookRoute } from '@sluice/db';
import { type JsonObject, mcpResult, UnavailableError } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { SessionChannel } from '@sluice/queue';
import { StreamSlots } from '../../event-streams/stream-slots.ts';
import type { ServerSentEvent } from '../../http/response/server-sent-events.ts';
import { McpStreams } from './mcp-streams.ts';

const listeners = new Map<string, (text: string) => void>();
const warnings: string[] = [];
let isDown = false;
const channel = {
  publish: async (session: string, text: string) => {
    if (isDown) throw new UnavailableError('redis cannot be reached');
    listeners.get(session)?.(text);
  },
  isOpen: async (session: string) => listeners.has(session),
  listen: async (session: string, _: number, onText: (text: string) => void) => {
    if (isDown) throw new UnavailableError('redis cannot be reached');
    listeners.set(session, onText);
    return async () => void listeners.delete(session);
  },
} as unknown as SessionChannel;
const logger = { warn: (_: object, message: string) => warnings.push(message) } as unknown as Logger;
const routeAt = (path: string, workflowId = 'w1') => ({ workflowId, spec: { path } }) as unknown as WebhookRoute;

let streams: McpStreams;
beforeEach(() => {
  listeners.clear();
  warnings.length = 0;
  isDown = false;
  streams = new McpStreams({ channel, slots: new StreamSlots({ max: 2, maxPerKey: 1, owner: 'the MCP server' }), logger });
});

afterEach(() => void jest.useRealTimers());

/** Opens a stream. `session` is the session ID for messages to its endpoint. */
async function open(target = '/webhook/mcp/a/sse?x=1') {
  const disconnected = new AbortController();
  const opened = await streams.open(routeAt('mcp/a/sse'), { disconnected: disconnected.signal, target });
  const events = opened[Symbol.asyncIterator]() as AsyncGenerator<ServerSentEvent>;
  const { text: endpoint = '' } = (await events.next()).value as ServerSentEvent;
  const id = endpoint.split('sessionId=')[1] ?? '';
  const session = await streams.sessionOf(routeAt('mcp/a/messages'), { query: { sessionId: id } });
  return { disconnected, events, endpoint, id, session };
}
const result = async (value: JsonObject = {}) => mcpResult(1, value);

test.each([
  ['/webhook/mcp/a/sse', '/webhook/mcp/a/messages'],
  ['/webhook/mcp/a/sse/?x=1', '/webhook/mcp/a/messages'],
  ['/webhook/mcp/sse/sse', '/webhook/mcp/sse/messages'],
])('the stream at %s accepts messages at %s', async (target, path) => {
  expect((await open(target)).endpoint).toMatch(new RegExp(`^${path}\\?sessionId=[0-9a-f]{32}$`));
});

test('a session has no stream at another server or after the stream has ended', async () => {
  const { id, disconnected, events } = await open();
  const query = { sessionId: id };
  const none = 'this server has no open event stream of this session';
  await expect(streams.sessionOf(routeAt('mcp/b/messages'), { query })).rejects.toThrow(none);
  await expect(streams.sessionOf(routeAt('mcp/a/messages', 'w2'), { query })).rejects.toThrow(none);
  disconnected.abort();
  await events.next();
  await expect(streams.sessionOf(routeAt('mcp/a/messages'), { query })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a response is sent as a message in the stream, and a service error as a protocol error', async () => {
  const { events, session } = await open();
  await streams.respond({ session, id: 1 }, () => result({ ok: true }));
  await streams.respond({ session, id: 2 }, () => Promise.reject(new UnavailableError('the service is stopping')));
  await streams.respond({ session }, async () => undefined);
  const texts = [(await events.next()).value, (await events.next()).value].map(({ text }: ServerSentEvent) =>
    JSON.parse(text ?? ''),
  );
  expect(texts).toEqual([
    { jsonrpc: '2.0', id: 1, result: { ok: true } },
    { jsonrpc: '2.0', id: 2, error: { code: -32_603, message: 'the service is stopping' } },
  ]);
});

test.each<[string, () => void]>([
  [
    'Redis cannot be reached',
    () => {
      isDown = true;
    },
  ],
  ['nothing listens', () => listeners.clear()],
])('a response is dropped without an error if %s', async (_, breakIt) => {
  const { session } = await open();
  breakIt();
  await streams.respond({ session, id: 1 }, () => result());
  expect(warnings).toHaveLength(isDown ? 1 : 0);
});

test('a defect is logged, and its message is not sent', async () => {
  const { session } = await open();
  await streams.respond({ session, id: 1 }, () => Promise.reject(new TypeError('secret')));
  expect(warnings).toHaveLength(1);
});

test.each<[string, (stream: Awaited<ReturnType<typeof open>>) => void | Promise<void>]>([
  ['its client disconnects', ({ disconnected }) => disconnected.abort()],
  ['the process stops', () => streams.close()],
  [
    'its client is too slow',
    async ({ session }) => {
      for (let i = 0; i < 5; i += 1) await streams.respond({ session, id: 1 }, () => result({ x: 'x'.repeat(1_000_000) }));
    },
  ],
])('a stream ends if %s', async (_, end) => {
  const stream = await open();
  await expect(open()).rejects.toThrow('the MCP server has 1 event streams open already');
  await end(stream);
  expect(await stream.events.next()).toMatchObject({ done: true });
  expect(listeners.size).toBe(0);
});

test('a stream that ends frees its slot, unless the process stops', async () => {
  const { disconnected, events } = await open();
  disconnected.abort();
  await events.next();
  await open();
  streams.close();
  await expect(open()).rejects.toThrow('the process is stopping');
});

test('a stream ends after an hour, and leaves no timer if it ends earlier', async () => {
  jest.useFakeTimers();
  const { events } = await open();
  jest.advanceTimersByTime(3_600_000);
  expect(await events.next()).toMatchObject({ done: true });
  const short = await open();
  expect(jest.getTimerCount()).toBe(1);
  short.disconnected.abort();
  await short.events.next();
  expect(jest.getTimerCount()).toBe(0);
});

test('a stream that cannot listen leaves no timer and no slot', async () => {
  jest.useFakeTimers();
  isDown = true;
  await expect(open()).rejects.toThrow('redis cannot be reached');
  expect(jest.getTimerCount()).toBe(0);
  isDown = false;
  await open();
});

test('the servers of one project cannot use all slots', async () => {
  const channel = { listen: async () => async () => undefined } as unknown as SessionChannel;
  const limited = new McpStreams({ channel, slots: new StreamSlots({ max: 4, maxPerKey: 1 }), logger });
  const openAt = (projectId: string, server: string) =>
    limited.open(
      { ...routeAt(`mcp/${server}/sse`, server), projectId },
      { disconnected: new AbortController().signal, target: '/' },
    );
  await openAt('p1', 'a');
  await openAt('p1', 'b');
  await expect(openAt('p1', 'c')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  await openAt('p2', 'd');
});
