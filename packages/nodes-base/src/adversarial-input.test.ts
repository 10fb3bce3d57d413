import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createHttpClient } from '@sluice/http-client';
import { listening } from '@sluice/http-client/testing';
import type { ExecuteContext, NodeType } from '@sluice/node-sdk';
import { listen, pollOnce } from '@sluice/node-sdk/testing';
import { attackShare, leastWithin, longestBusy } from '@sluice/test-support';
import { baseNodeTypes } from './base-node-types.ts';
import { attackPlans } from './testing/adversarial-cases.ts';
import type { AttackPlan } from './testing/attack-plan.ts';
import { realPorts } from './testing/credential-ports.ts';
import { type FakeRun, fakeContext } from './testing/fake-context.ts';
import { httpServer } from './testing/http-server.ts';
import { memoryBinary } from './testing/memory-binary.ts';

/** Maximum CPU time, in milliseconds, that may block the event loop. */
const maxStallMs = 250;

/** Duration of an attack; a node that has not finished by then may continue. */
const attackMs = 900;

const ports = realPorts();
const http = createHttpClient({ ssrfProtection: 'off', ssrfAllow: [] });
afterAll(async () => {
  await ports.close();
});

test('every node type, and no other name, has an attack plan', () => {
  expect(Object.keys(attackPlans).sort()).toEqual(baseNodeTypes.map(({ description }) => description.name).sort());
});

/**
 * The longest stall of the event loop while a node runs or listens, until the attack is over. The
 * node's result does not matter.
 */
const stallOf = (type: NodeType, run: FakeRun): Promise<number> => leastWithin(maxStallMs, () => stallOnce(type, run));

async function stallOnce(type: NodeType, run: FakeRun): Promise<number> {
  const ending = new AbortController();
  const options = { typeVersion: newest(type), connect: ports.connect, http, ...run, signal: ending.signal };
  const context = fakeContext(options);
  const { parameters } = run;
  const node = { ...context.node, parameters: typeof parameters === 'object' ? parameters : {} };
  const timer = setTimeout(() => ending.abort(new Error('the attack is over')), attackMs);
  try {
    return await longestBusy(() => begin(type, { ...context, node }, options as FakeRun));
  } finally {
    clearTimeout(timer);
  }
}

async function begin(type: NodeType, context: ExecuteContext, run: FakeRun): Promise<void> {
  try {
    if (type.trigger) await listenUntilAborted(type, context, run);
    else if (type.poll) await pollOnce(type, sourceOf(run));
    else await type.execute?.(context);
  } catch (error) {
    // A run may fail. A parameter error, however, would mean that the attack never reached the
    // node's work.
    expect(error).not.toMatchObject({ message: expect.stringMatching(/parameter|required/) });
  }
}

async function listenUntilAborted(type: NodeType, { signal }: ExecuteContext, run: FakeRun): Promise<void> {
  const listener = await listen(type, sourceOf(run));
  if (!signal.aborted) await once(signal, 'abort');
  await listener.close();
}

function sourceOf({ parameters, credentials = {}, connect, signal }: FakeRun) {
  return {
    parameters: typeof parameters === 'object' ? parameters : {},
    credentials,
    http,
    ...(connect && { connect }),
    ...(signal && { signal }),
  };
}

function newest({ description }: NodeType): number {
  return Math.max(...[description.version].flat());
}

async function stalls(type: NodeType, plan: AttackPlan, index: number): Promise<Record<string, number>> {
  if ('input' in plan) {
    const measured: Record<string, number> = {};
    for (const { name, run, files } of attackShare(plan.input(), index))
      measured[name] = await stallOf(type, files ? await withFiles(run, files) : run);
    return measured;
  }
  if ('http' in plan) {
    const { contentType, body, run } = plan.http();
    const server = await httpServer((_, response) => void response.writeHead(200, { 'content-type': contentType }).end(body));
    return { answer: await stallOf(type, run(server.origin)).finally(() => server.close()) };
  }
  if ('peer' in plan) {
    const { greeting, piece, credentials, parameters } = plan.peer;
    const server = await listening(createServer((socket) => flood(socket, greeting, piece)));
    return { flood: await stallOf(type, { credentials: credentials(server.port), parameters }).finally(() => server.close()) };
  }
  return {};
}

async function withFiles(run: FakeRun, files: Record<string, Uint8Array>): Promise<FakeRun> {
  const binary = memoryBinary();
  const references = Object.entries(files).map(
    async ([name, bytes]) => [name, await binary.store(bytes, { fileName: 'file' })] as const,
  );
  return { ...run, binary, inputs: [[{ json: {}, binary: Object.fromEntries(await Promise.all(references)) }]] };
}

const floodBytes = 16 * 1024 * 1024;

function flood(socket: Socket, greeting: string, piece: string): void {
  const chunk = Buffer.from(piece.repeat(Math.ceil(64_000 / piece.length)), 'latin1');
  let sent = 0;
  const send = () => {
    while (!socket.destroyed && sent < floodBytes) {
      sent += chunk.length;
      if (!socket.write(chunk)) return;
    }
    socket.end();
  };
  socket.on('error', () => {}).on('drain', send);
  socket.write(Buffer.from(greeting, 'latin1'));
  send();
}

describe('adversarial input never blocks the event loop', () => {
  const attacked = baseNodeTypes.filter(({ description }) => !('nothing' in (attackPlans[description.name] ?? {})));
  test.each(attacked.map((type, index) => [type.description.name, type, index] as const))('%s', async (name, type, index) => {
    const measured = await stalls(type, attackPlans[name] as AttackPlan, index);
    expect(Object.entries(measured).filter(([, ms]) => ms > maxStallMs)).toEqual([]);
  });
});
