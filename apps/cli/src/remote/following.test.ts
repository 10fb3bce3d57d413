import { expect, jest, test } from '@jest/globals';
import { createApiClient } from '@sluice/api-client';
import { reportEnd } from './executions.ts';
import type { Server } from './server.ts';
import { followOne } from './tail-executions.ts';
import { startWorkflow } from './workflows.ts';

const [url, apiKey] = ['http://127.0.0.1:1', 'key'];

/** A server that returns these responses, and then repeats the last one. */
function serverWith(responses: readonly (() => Response)[]): Server {
  let count = 0;
  const fetch = async () => {
    const respond = responses[Math.min(count, responses.length - 1)];
    count += 1;
    if (!respond) throw new TypeError('fetch failed');
    return respond();
  };
  return { url, apiKey, api: createApiClient({ url, apiKey, fetch }) };
}

function recorder() {
  const lines: string[] = [];
  return { lines, terminal: { line: (text: string) => void lines.push(text), warn: (text: string) => void lines.push(text) } };
}

const execution = (status: string) => () =>
  Response.json({ id: '7', status, mode: 'manual', startedAt: null, stoppedAt: null, workflowName: 'W', workflowId: 'w' });
const unreachable = () => {
  throw new TypeError('fetch failed');
};
const busy = () => Response.json({ message: 'too many requests' }, { status: 429 });

test('a command that waits for an execution survives a restart of the server', async () => {
  const { terminal, lines } = recorder();
  const server = serverWith([execution('running'), unreachable, busy, execution('success')]);
  await reportEnd(server, '7', { json: false }, terminal);
  expect(lines).toContain('status     success');
});

test('a run whose response was lost is repeated with the same idempotency key, and starts one execution', async () => {
  const { terminal, lines } = recorder();
  const keys: (string | null)[] = [];
  const fetch = async (request: Request) => {
    keys.push(request.headers.get('idempotency-key'));
    if (keys.length === 1) throw new TypeError('fetch failed');
    return Response.json({ executionId: '7' });
  };
  const server = { url, apiKey, api: createApiClient({ url, apiKey, fetch }) };
  await startWorkflow(server, 'w', { json: false, wait: false }, terminal);
  expect(lines).toEqual(['execution  7']);
  expect(keys).toEqual([expect.stringMatching(/^\S{36}$/), keys[0]]);
});

test('a rejected run is not repeated', async () => {
  const { terminal } = recorder();
  const refused = jest.fn(async (_: Request) => Response.json({ message: 'no' }, { status: 404 }));
  const server = { url, apiKey, api: createApiClient({ url, apiKey, fetch: refused }) };
  await expect(startWorkflow(server, 'w', { json: false, wait: false }, terminal)).rejects.toMatchObject({ exitCode: 1 });
  expect(refused).toHaveBeenCalledTimes(1);
});

test('tail continues with the last event after a lost connection', async () => {
  const { terminal, lines } = recorder();
  const status = (value: string, id: number) => `id: ${id}\nevent: status\ndata: {"status":"${value}"}\n\n`;
  const cut = () => {
    const chunks = [new TextEncoder().encode(status('running', 1))];
    const stream = new ReadableStream({
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk) controller.enqueue(chunk);
        else controller.error(new TypeError('terminated'));
      },
    });
    return new Response(stream);
  };
  const server = serverWith([cut, unreachable, unreachable, () => new Response(status('success', 2))]);
  expect(await followOne(server, '7', { json: false }, terminal)).toBe('success');
  expect(lines.map((line) => line.split('  ')[1])).toEqual(['running', 'success']);
});

test('text from a server cannot control the terminal', async () => {
  const { terminal, lines } = recorder();
  const hostile = () =>
    Response.json({ ...JSON.parse('{"mode":"manual","startedAt":null,"stoppedAt":null}'), status: 'success\u001b[2J' });
  await expect(reportEnd(serverWith([execution('success'), hostile]), '7', { json: false }, terminal)).rejects.toThrow();
  expect(lines.join('')).not.toContain('\u001b');
});

test('a response in HTML is an error that questions the address', async () => {
  const page = () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } });
  const waiting = reportEnd(serverWith([page]), '7', { json: false }, recorder().terminal);
  await expect(waiting).rejects.toThrow('does not respond with JSON: check that it is the address of the service');
});
