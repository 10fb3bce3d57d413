import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { type RunningService, startService } from './harness.ts';
import { endedBy } from './support/cleanup.ts';
import { packageFolder } from './support/own-packages.ts';
import { createWorkflow, expectStatus, startNew, untilStatus } from './support/runs.ts';
import { trigger } from './support/workflows.ts';

jest.setTimeout(180_000);

const nodeType = (name: string, { before = '', description = '', members = '' }) => `${before}
export default {
  description: {
    displayName: 'Node', name: '${name}', group: ['transform'], version: 1, description: 'For tests', defaults: { name: 'Node' },
    inputs: ['main'], outputs: ['main'], properties: [{ displayName: 'Mode', name: 'mode', type: 'string', default: '' }], ${description}
  },
  execute: (context) => [[...context.items()]],
  ${members}
};`;
const one = (name: string, parts: Parameters<typeof nodeType>[1] = {}) => ({ 'node.js': nodeType(name, parts) });

const letGo = `const letGo = {
  timer: () => void setTimeout(() => { throw new Error('out of a timer'); }, 20),
  promise: () => void Promise.reject(new Error('out of a promise')),
  text: () => void setTimeout(() => { throw 'a text'; }, 20),
};`;
const stray = one('stray', {
  before: letGo,
  description: "webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'calls' }],",
  members: `
  async execute(context) {
    letGo[context.parameter('mode', 0)]();
    await new Promise((resolve) => setTimeout(resolve, 500));
    return [[{ json: { done: true } }]];
  },
  webhook({ request }) {
    if (request.query.give) return JSON.parse(request.query.give);
    letGo[request.query.mode]();
    return { webhookResponse: 'x' };
  },
  methods: { loadOptions: Object.fromEntries(Object.entries(letGo).map(([name, go]) => [name, async () => (go(), [])])) },`,
});

const sdk = "'@sluice/node-sdk'";
const used = 'if (!pollTimesProperty) throw new Error();';

const packages = {
  'a-good': {
    ...one('good', { before: `import { pollTimesProperty } from ${sdk}; ${used}` }),
    'required.cjs': nodeType('required', { before: `const { pollTimesProperty } = require(${sdk}); ${used}` }).replace(
      'export default',
      'module.exports =',
    ),
  },
  'b-rejects': one('node', { before: "Promise.reject(new Error('unseen'));" }),
  'c-throws': one('node', { before: "setTimeout(() => { throw new Error('at once'); }, 0);" }),
  'd-exits': one('node', { before: 'process.exit(0);' }),
  'e-loops': one('node', { before: 'while (true);' }),
  'f-pollutes': one('node', { before: 'Array.prototype.evil = 1; Object.prototype.polluted = 1;' }),
  'g-cyclic': one('node', { before: 'const extra = {}; extra.extra = extra;', description: 'extra,' }),
  'h-big': one('node', { description: 'extra: 1n,' }),
  'i-deep': one('node', {
    before: 'let extra = {}; for (let i = 0; i < 200_000; i++) extra = { extra };',
    description: 'extra,',
  }),
  'j-late': one('node', { before: "setTimeout(() => { throw new Error('much later'); }, 2_000);" }),
  stray,
};

const endedAtLast = endedBy(afterAll);
let service: RunningService;
let processes: readonly number[];

beforeAll(async () => {
  const { folder } = endedAtLast(await packageFolder(packages));
  service = endedAtLast(await startService({ settings: { SLUICE_NODES_DIR: folder, WORKERS: '1' } }));
  processes = pids();
});

const pids = () => ['api', 'worker-1'].map((name) => service.pidOf(name));
const listed = async (): Promise<{ name: string; status: string; reason: string | null }[]> =>
  expectStatus(await service.call('GET', '/node-packages'), 200).data;
/** What the API and the worker have logged of errors that nobody has caught. */
const strayLines = () =>
  ['api', 'worker-1'].map((name) => {
    const lines = readFileSync(join(service.home, 'logs', `${name}.log`), 'utf8').split('\n');
    return lines.filter((line) => line.includes('an error that nobody has caught'));
  });
/** Nothing has been started anew. */
async function expectAllAlive(): Promise<void> {
  await delay(300);
  expect(pids()).toEqual(processes);
  expectStatus(await service.call('GET', '/node-types?limit=1'), 200);
}

describe('a package that does harm while it loads is left out by name, and takes nothing down', () => {
  test.each([
    ['b-rejects', 'it lets go of an error while it is loaded: unseen'],
    ['c-throws', 'it lets go of an error while it is loaded: at once'],
    ['d-exits', 'it ends the process (exit code 0)'],
    ['e-loops', 'it was not loaded within 10000 milliseconds'],
    ['f-pollutes', 'Object.prototype.polluted, Array.prototype.evil, which all code would see'],
    ['g-cyclic', 'node.js: the description is nested more than 100 deep, or within itself'],
    ['h-big', 'node.js: the description has a BigInt'],
    ['i-deep', 'node.js: the description is nested more than 100 deep'],
  ])('%s: %s', async (name, reason) => {
    const found = (await listed()).find((one) => one.name === name);
    expect(found).toMatchObject({ status: 'failed', reason: expect.stringContaining(reason) });
  });

  test('the others are there, and are listed; they find the SDK, by import and by require', async () => {
    const loaded = (await listed()).filter(({ status }) => status === 'loaded');
    expect(loaded.map(({ name }) => name)).toEqual(['a-good', 'j-late', 'stray']);
    for (const type of ['a-good.good', 'a-good.required']) expectStatus(await service.call('GET', `/node-types/${type}`), 200);
  });

  test('an error that comes later is logged with the name of its package', async () => {
    const isLogged = (lines: string[]) =>
      lines.some((line) => line.includes('"package":"j-late"') && line.includes('much later'));
    await eventually(() => strayLines().every(isLogged), { timeoutMs: 10_000 });
    await expectAllAlive();
  });
});

describe('an error that a node lets go', () => {
  test.each(['timer', 'text'])('in an execution fails that node, and no other execution (%s)', async (mode) => {
    const broken = aChain([trigger, aNode({ name: 'Broken', type: 'stray.stray', parameters: { mode } })]);
    const fine = aChain([trigger, aNode({ name: 'Fine', type: 'stray.stray', parameters: { mode: 'promise' } })]);
    const innocent = await startNew(service, fine);
    const { executionId } = await startNew(service, broken);
    const { data } = await untilStatus(service, executionId, 'error');
    expect(data.resultData.error).toMatchObject({ code: 'UNCAUGHT_NODE_ERROR', node: 'Broken' });
    await untilStatus(service, innocent.executionId, 'success');
    await expectAllAlive();
  });

  test.each(['timer', 'promise', 'text'])('in a method is logged, and the API goes on (%s)', async (mode) => {
    expectStatus(await service.call('POST', `/node-types/stray.stray/methods/loadOptions/${mode}`, {}), 200);
    await expectAllAlive();
  });

  test('in a webhook is logged, and the API goes on; what a webhook may not return is a 500', async () => {
    const hook = aNode({ id: 'h', name: 'Hook', type: 'stray.stray' });
    const id = await createWorkflow(service, aChain([hook, aNode({ name: 'Next', type: 'a-good.good' })]));
    expectStatus(await service.call('POST', `/workflows/${id}/activate`, {}), 200);
    const call = (query: object) =>
      fetch(`${service.url}/webhook/${id}/h/calls?${new URLSearchParams({ ...query })}`, { method: 'POST' });
    for (const mode of ['timer', 'promise', 'text']) {
      const answer = await call({ mode });
      expect([answer.status, await answer.text()]).toEqual([200, 'x']);
      await expectAllAlive();
    }
    for (const give of ['5', 'null', '{"workflowData":[{"json":{}}]}']) {
      const answer = await call({ give });
      expect(answer.status).toBe(500);
      expect(await answer.json()).toMatchObject({ code: 'WEBHOOK_FAILED' });
    }
  });
});
