import { afterAll, describe, expect, test } from '@jest/globals';
import { aChain, aNode, aSmallWorkflow, eventually } from '@sluice/test-support';
import { startService } from './harness.ts';
import { stopIn } from './support/cleanup.ts';
import { LoopbackServer } from './support/loopback-server.ts';
import { createWorkflow, expectStatus, getExecution, run, startNew, startRun, untilStatus } from './support/runs.ts';
import { aCode, aSet, callsInARow, trigger } from './support/workflows.ts';

const slots = 2;
const stopAfterAll = stopIn(afterAll);

const server = stopAfterAll(await LoopbackServer.start());
const settings = {
  CONCURRENCY: String(slots),
  SANDBOX_THREADS: String(slots),
  SANDBOX_TIMEOUT_MS: '2000',
  SSRF_ALLOW: '127.0.0.1',
};
const service = stopAfterAll(await startService({ settings }));

/** Makes paths unique to a test. */
let paths = 0;
function newPath(): string {
  paths += 1;
  return `/path-${paths}`;
}

describe('a run', () => {
  test('responds when it ends with the data of every node, and the stored execution has the same data', async () => {
    const id = await createWorkflow(service, aSmallWorkflow({ response: 42 }));

    const response = await run(service, id);

    expect(response).toMatchObject({ executionId: expect.stringMatching(/^\d+$/), finished: true, status: 'success' });
    const { runData } = response.data.resultData;
    expect(Object.keys(runData)).toEqual(['Start', 'Set']);
    expect(runData.Set).toEqual([
      expect.objectContaining({
        executionStatus: 'success',
        data: { main: [[expect.objectContaining({ json: { response: 42 } })]] },
      }),
    ]);
    const execution = await getExecution(service, response.executionId);
    expect(execution).toMatchObject({
      id: response.executionId,
      workflowId: id,
      status: 'success',
      mode: 'manual',
      retryOf: null,
    });
    expect(Date.parse(execution.stoppedAt)).toBeGreaterThanOrEqual(Date.parse(execution.startedAt));
    expect(execution.data.resultData).toEqual(response.data.resultData);
  });

  test('with `Prefer: respond-async` responds immediately, and its execution can be polled', async () => {
    const path = newPath();
    server.hold(path);
    const id = await createWorkflow(service, callsInARow(server.url, [path]));

    const { executionId, finished } = await run(service, id, { prefer: 'respond-async' });
    expect(finished).toBe(false);
    await eventually(() => server.waiting(path) === 1);
    expect(await getExecution(service, executionId)).toMatchObject({ status: 'running', stoppedAt: null });
    server.respond(path);

    const execution = await untilStatus(service, executionId, 'success');
    expect(Object.keys(execution.data.resultData.runData)).toEqual(['Start', path.slice(1)]);
  });

  test('that takes longer than `Prefer: wait` responds with finished: false and the data so far, and continues', async () => {
    const path = newPath();
    server.hold(path);
    const id = await createWorkflow(service, callsInARow(server.url, [path]));

    const { executionId, finished, data } = await run(service, id, { prefer: 'wait=1' });
    expect(finished).toBe(false);
    expect(Object.keys(data.resultData.runData)).toEqual(['Start']);
    server.respond(path);

    await untilStatus(service, executionId, 'success');
  });

  test('continues when its client disconnects', async () => {
    const path = newPath();
    server.hold(path);
    const id = await createWorkflow(service, callsInARow(server.url, [path]));
    const client = new AbortController();
    const request = fetch(`${service.url}/api/v1/workflows/${id}/run`, {
      method: 'POST',
      headers: { 'x-service-api-key': service.apiKey },
      signal: client.signal,
    });
    await eventually(() => server.waiting(path) === 1);

    client.abort();
    await expect(request).rejects.toThrow('aborted');
    server.respond(path);

    const { data } = expectStatus(await service.call('GET', `/executions?workflowId=${id}`), 200);
    await untilStatus(service, data[0].id, 'success');
  });

  test('of a workflow with an unknown node type ends with an error that names the node and the type', async () => {
    const id = await createWorkflow(service, aChain([trigger, aNode({ name: 'Odd one', type: 'base.no-such-thing' })]));

    const { status, data } = await run(service, id);

    expect(status).toBe('error');
    expect(data.resultData.error).toMatchObject({ node: 'Odd one', message: expect.stringContaining('base.no-such-thing') });
    expect(data.resultData.lastNodeExecuted).toBe('Odd one');
  });

  test('keeps \\u0000 and keys like __proto__ in parameters, pinned items, and run data', async () => {
    const text =
      '{"nul\\u0000key":"nul\\u0000value","__proto__":{"polluted":true},"constructor":{"prototype":1},"ünï":"😀\\ud800"}';
    const pinData = { Start: [{ json: JSON.parse(text) }] };
    const graph = aChain([trigger, aSet('Set', text), aCode('Code', 'return [{ json: $input.first().json }]')], { pinData });
    const id = await createWorkflow(service, graph);

    const stored = expectStatus(await service.call('GET', `/workflows/${id}`), 200);
    expect(JSON.stringify(stored.pinData)).toBe(JSON.stringify(pinData));
    expect(stored.nodes[1].parameters.jsonOutput).toBe(text);
    const { executionId } = await run(service, id);
    const { status, data } = await getExecution(service, executionId);
    expect(status).toBe('success');
    for (const name of ['Start', 'Set', 'Code']) {
      expect(JSON.stringify(data.resultData.runData[name][0].data.main[0][0].json)).toBe(JSON.stringify(JSON.parse(text)));
    }
  });
});

test('30 executions are listed page by page, newest first, without gaps or duplicates', async () => {
  const id = await createWorkflow(service, aSmallWorkflow());
  const started: string[] = [];
  for (let n = 0; n < 30; n += 1) started.push(await startRun(service, id));

  const listed: string[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = expectStatus(await service.call('GET', `/executions?workflowId=${id}&limit=7${query}`), 200);
    expect(page).toMatchObject({ count: 30, estimated: false });
    listed.push(...page.data.map((execution: { id: string }) => execution.id));
    cursor = page.nextCursor;
  } while (cursor !== null);

  expect(listed).toEqual(started.toReversed());
});

describe('hostile text', () => {
  const expressions = [
    '(() => {}).constructor("return process.env")()',
    'this.constructor.constructor("return process")().exit(1)',
    '$json.__proto__.polluted = "host"',
    'process.exit(1)',
    '"x".repeat(2 ** 30).length + "x".repeat(2 ** 30)',
    '(function f() { return f() + f() })()',
    '[1].map(() => { for (;;); })',
    '"{{ process.env }}"',
  ];
  const codes = [
    'process.exit(1)',
    'return require("child_process").execSync("env")',
    'return (await import("node:fs")).readFileSync("/proc/self/environ")',
    'const all = []; for (;;) all.push(new Array(1e6).fill("x"))',
    'Object.prototype.polluted = "host"; return [{ json: {} }]',
    'return new Proxy([], { get() { throw new Error("trap") } })',
  ];
  const hostile = [
    ...expressions.map((text) => [text, aSet('Hostile', `={{ JSON.stringify({ text: String(${text}) }) }}`)] as const),
    ...codes.map((text) => [text, aCode('Hostile', text)] as const),
  ];

  const look = aCode('Look', 'return [{ json: { polluted: String({}.polluted) } }]');

  test.each(hostile)('returns an error or plain data, and the worker survives: %s', async (_text, node) => {
    const worker = service.pidOf('worker-1');
    const id = await createWorkflow(service, aChain([trigger, node]));

    const response = await run(service, id);

    expect(['success', 'error']).toContain(response.status);
    for (const secret of [service.apiKey, service.home, 'DATABASE_URL']) expect(JSON.stringify(response)).not.toContain(secret);
    const next = await run(service, await createWorkflow(service, aChain([trigger, look])));
    expect(next.data.resultData.runData.Look[0].data.main[0][0].json).toEqual({ polluted: 'undefined' });
    expect(service.pidOf('worker-1')).toBe(worker);
  });
});

describe('an infinite loop in a Code node', () => {
  const loop = aCode('Loop', 'for (;;);');

  test.each([
    ['the time limit for code', {}],
    ['the time limit of its workflow', { executionTimeout: 1 }],
  ])('ends after %s and frees its slot', async (_what, settings) => {
    const graph = aChain([trigger, loop], { settings });
    const loops = await Promise.all(Array.from({ length: slots }, () => startNew(service, graph)));

    const next = await startNew(service, aSmallWorkflow());

    for (const { executionId } of loops) {
      const { data } = await untilStatus(service, executionId, 'error');
      expect(data.resultData.error.node).toBe('Loop');
    }
    await untilStatus(service, next.executionId, 'success');
  });
});
