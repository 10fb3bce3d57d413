import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, expect, test } from '@jest/globals';
import { LoopbackService } from '@sluice/http-client/testing';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { startService } from './harness.ts';
import { createWorkflow, expectStatus, run } from './support/runs.ts';
import { sendWebhook } from './support/webhook-requests.ts';

const mib = 1024 * 1024;
const bodyBytes = 10 * mib;
const executions = 50;

/** Sends most of a body, and the rest once `finish` is called. */
class StallingServer extends LoopbackService {
  readonly #finished = Promise.withResolvers<void>();
  requests = 0;

  static start(): Promise<StallingServer> {
    return new StallingServer().listen();
  }

  finish(): void {
    this.#finished.resolve();
  }

  protected async handle(_request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests += 1;
    response.writeHead(200, { 'content-type': 'text/plain' });
    const piece = Buffer.alloc(mib / 4, 'x');
    for (let at = 0; at < bodyBytes - piece.length; at += piece.length) {
      await new Promise((resolve) => response.write(piece, resolve));
    }
    await this.#finished.promise;
    response.end(piece);
  }
}

const [server, otherServer] = [await StallingServer.start(), await StallingServer.start()];
const service = await startService({
  settings: { NODE_OPTIONS: '--max-old-space-size=256', SSRF_ALLOW: '127.0.0.1' },
});
afterAll(() => Promise.all([service.dispose(), server.stop(), otherServer.stop()]));

/** Memory of a process in bytes. */
function memoryOf(pid: number): number {
  const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}

/**
 * Starts executions that read from the server. Resolves to their workflow's ID once it has
 * responded to 15 of them.
 */
async function startReading(from: StallingServer, path: string): Promise<string> {
  const parameters = { url: from.url };
  const request = aNode({ name: 'Request', type: 'base.http-request', typeVersion: 4.2, parameters });
  const hook = aNode({ name: 'Hook', type: 'base.webhook', typeVersion: 2, parameters: { httpMethod: 'POST', path } });
  const id = await createWorkflow(service, aChain([hook, request]));
  expectStatus(await service.call('POST', `/workflows/${id}/activate`), 200);
  await Promise.all(Array.from({ length: executions }, () => sendWebhook(`${service.url}/webhook/${path}`)));
  await eventually(() => expect(from.requests).toBeGreaterThanOrEqual(15), { timeoutMs: 30_000 });
  return id;
}

test('responses of servers that stall wait for memory as they arrive', async () => {
  const worker = service.pidOf('worker-1');
  const before = memoryOf(worker);
  const id = await startReading(server, 'read');
  let most = 0;
  for (let checks = 0; checks < 80; checks += 1) {
    most = Math.max(most, memoryOf(worker) - before);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(most).toBeLessThan(250 * mib);
  server.finish();
  const list = () => service.call('GET', `/executions?workflowId=${id}&limit=100`);
  const statuses = await eventually(
    async () => {
      const ended = expectStatus(await list(), 200).data.map(({ status }: { status: string }) => status);
      if (ended.some((status: string) => status === 'new' || status === 'running')) throw new Error('executions still run');
      return ended;
    },
    { timeoutMs: 120_000 },
  );
  expect(statuses).toEqual(Array.from({ length: executions }, () => 'success'));
  expect(service.pidOf('worker-1')).toBe(worker);
});

test('responses that stall do not delay small executions of another project', async () => {
  await startReading(otherServer, 'read-more');
  const { id: projectId } = expectStatus(await service.call('POST', '/projects', { name: 'Small' }), 201);
  const start = aNode({ name: 'Start', type: 'base.manual-trigger' });
  const code = aNode({
    name: 'Code',
    type: 'base.code',
    typeVersion: 2,
    parameters: { jsCode: 'return [{ json: { n: 1 } }]' },
  });
  const small = await createWorkflow(service, { ...aChain([start, code]), projectId });
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  for (let runs = 0; runs < 3; runs += 1) {
    const startedAt = performance.now();
    expect(await run(service, small)).toMatchObject({ finished: true, status: 'success' });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  }
  otherServer.finish();
});
