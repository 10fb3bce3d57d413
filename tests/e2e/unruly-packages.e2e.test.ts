import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { type RunningService, startService } from './harness.ts';
import { stopIn } from './support/cleanup.ts';
import { packageFolder } from './support/own-packages.ts';
import { createWorkflow, expectStatus, startNew, untilStatus } from './support/runs.ts';
import { trigger } from './support/workflows.ts';

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

const throwLater = `const throwLater = {
  timer: () => void setTimeout(() => { throw new Error('out of a timer'); }, 20),
  promise: () => void Promise.reject(new Error('out of a promise')),
  text: () => void setTimeout(() => { throw 'a string'; }, 20),
  nothing: () => void setTimeout(() => { throw Object.create(null); }, 20),
  unread: () => void setTimeout(() => { throw new Proxy(new Error(), { get() { throw new Error('no'); } }); }, 20),
  rejected: () => void Promise.reject(Object.create(null)),
};`;
/**
 * Ways to throw an error outside of a call: `thrown` in a timer, the rest of `modes` in a promise.
 */
const thrown = ['timer', 'text', 'nothing', 'unread'];
const modes = [...thrown, 'promise', 'rejected'];
const uncaught = one('uncaught', {
  before: throwLater,
  description: "webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'calls' }],",
  members: `
  async execute(context) {
    throwLater[context.parameter('mode', 0)]();
    await new Promise((resolve) => setTimeout(resolve, 500));
    return [[{ json: { done: true } }]];
  },
  webhook({ request, respond }) {
    if (request.query.returned) return JSON.parse(request.query.returned);
    throwLater[request.query.mode]?.();
    if (request.query.status) respond({ status: JSON.parse(request.query.status), headers: {}, body: { kind: 'none' } });
    return { webhookResponse: 'x' };
  },
  methods: { loadOptions: Object.fromEntries(Object.entries(throwLater).map(([name, go]) => [name, async () => (go(), [])])), listSearch: { fails: () => Promise.reject(Object.create(null)) } },`,
});

const hidden = 'an error without a message';
const hooks = one('hooks', {
  description: "webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'hooks' }],",
  members: `webhookMethods: { default: {
    checkExists: async ({ parameter }) => parameter('mode') === 'delete',
    create: async () => { throw Object.create(null); },
    delete: async () => { throw Object.create(null); },
  } },`,
});
const listens = one('listens', {
  members: `async trigger(context) {
    context.failed(Object.create(null));
    return { close() {} };
  },`,
});

const sdk = "'@sluice/node-sdk'";
const used = 'if (!pollTimesProperty) throw new Error();';

const unlessTrial = (code: string) => `if (!/trial-process/.test(process.argv[1])) { ${code}; }`;

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
  // A package is first loaded in a trial process. These throw only when it is loaded for use.
  'k-pool': one('node', { before: "import 'shared-pool';" }),
  'l-socket': one('node', { before: `import net from 'node:net'; ${unlessTrial("net.connect(1, '127.0.0.1')")}` }),
  'm-text': one('node', {
    before: `import { EventEmitter } from 'node:events';
      ${unlessTrial("EventEmitter.prototype.removeAllListeners.call(process); setTimeout(() => { throw 'oops'; }, 0)")}
      for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, (error) => { throw error; });`,
  }),
  'n-nothing': one('node', { before: unlessTrial('Promise.reject(Object.create(null))') }),
  'o-refused': one('node', { before: 'Promise.reject(Object.create(null));' }),
  hooks,
  listens,
  uncaught,
};

const stopAfterAll = stopIn(afterAll);
let service: RunningService;
let processes: readonly number[];

beforeAll(async () => {
  const { folder } = stopAfterAll(await packageFolder(packages));
  const dependency = join(folder, 'node_modules/shared-pool');
  await mkdir(dependency);
  await writeFile(join(dependency, 'package.json'), '{ "name": "shared-pool", "version": "1.0.0" }');
  const pool = "setTimeout(() => { throw new Error('Connection terminated unexpectedly'); }, 0)";
  await writeFile(join(dependency, 'index.js'), unlessTrial(pool));
  const settings = { SLUICE_NODES_DIR: folder, WORKERS: '1', PUBLIC_URL: 'https://sluice.example' };
  service = stopAfterAll(await startService({ settings }));
  processes = pids();
});

const pids = () => ['api', 'worker-1'].map((name) => service.pidOf(name));
const listed = async (): Promise<{ name: string; status: string; reason: string | null }[]> =>
  expectStatus(await service.call('GET', '/node-packages'), 200).data;
/** Lines about uncaught errors in the logs of the API and the worker. */
const uncaughtErrorLines = () =>
  ['api', 'worker-1'].map((name) => {
    const lines = readFileSync(join(service.home, 'logs', `${name}.log`), 'utf8').split('\n');
    return lines.filter((line) => line.includes('"uncaught error"'));
  });
/** Checks that no process has been restarted. */
async function expectAllAlive(): Promise<void> {
  await delay(300);
  expect(pids()).toEqual(processes);
  expectStatus(await service.call('GET', '/node-types?limit=1'), 200);
}

describe('a package that misbehaves while it is loaded is rejected by name and does not affect others', () => {
  test.each([
    ['b-rejects', 'it throws an uncaught error while it loads: unseen'],
    ['c-throws', 'it throws an uncaught error while it loads: at once'],
    ['d-exits', 'it terminates the process (exit code 0)'],
    ['e-loops', 'it was not loaded within 10000 milliseconds'],
    ['f-pollutes', 'it adds Object.prototype.polluted, which would affect all code'],
    ['g-cyclic', 'node.js: the description is nested more than 100 deep, or within itself'],
    ['h-big', 'node.js: the description has a BigInt'],
    ['i-deep', 'node.js: the description is nested more than 100 deep'],
    ['o-refused', `it throws an uncaught error while it loads: ${hidden}`],
  ])('%s: %s', async (name, reason) => {
    const entry = (await listed()).find((one) => one.name === name);
    expect(entry).toMatchObject({ status: 'failed', reason: expect.stringContaining(reason) });
  });

  test('the other packages are loaded and listed, and can import or require the SDK', async () => {
    const loaded = (await listed()).filter(({ status }) => status === 'loaded');
    expect(loaded.map(({ name }) => name)).toEqual([
      'a-good',
      'hooks',
      'j-late',
      'k-pool',
      'l-socket',
      'listens',
      'm-text',
      'n-nothing',
      'uncaught',
    ]);
    for (const type of ['a-good.good', 'a-good.required']) expectStatus(await service.call('GET', `/node-types/${type}`), 200);
  });

  test.each([
    ['j-late', 'much later'],
    ['k-pool', 'Connection terminated unexpectedly'],
    ['l-socket', 'ECONNREFUSED'],
    ['m-text', 'oops'],
    ['n-nothing', hidden],
  ])('uncaught errors that %s or its dependencies throw later are logged with its name: %s', async (name, message) => {
    const isLogged = (lines: string[]) => lines.some((line) => line.includes(`"package":"${name}"`) && line.includes(message));
    await eventually(() => uncaughtErrorLines().every(isLogged));
    await expectAllAlive();
  });
});

describe('an error that a node throws outside of its call', () => {
  test.each(thrown)('in an execution fails only that execution, at that node (%s)', async (mode) => {
    const broken = aChain([trigger, aNode({ name: 'Broken', type: 'uncaught.uncaught', parameters: { mode } })]);
    const fine = aChain([trigger, aNode({ name: 'Fine', type: 'uncaught.uncaught', parameters: { mode: 'promise' } })]);
    const alike = aChain([trigger, aNode({ name: 'Alike', type: 'uncaught.uncaught', parameters: { mode: 'rejected' } })]);
    const innocent = [await startNew(service, fine), await startNew(service, alike)];
    const { executionId } = await startNew(service, broken);
    const { data } = await untilStatus(service, executionId, 'error');
    expect(data.resultData.error).toMatchObject({ code: 'UNCAUGHT_NODE_ERROR', node: 'Broken' });
    for (const one of innocent) await untilStatus(service, one.executionId, 'success');
    await expectAllAlive();
  });

  test.each(modes)('in a method is logged, and the API continues (%s)', async (mode) => {
    expectStatus(await service.call('POST', `/node-types/uncaught.uncaught/methods/loadOptions/${mode}`, {}), 200);
    await expectAllAlive();
  });

  test('in a method call fails the call, even if it has no message', async () => {
    const response = await service.call('POST', '/node-types/uncaught.uncaught/methods/listSearch/fails', {});
    expect(expectStatus(response, 502)).toMatchObject({ code: 'NODE_METHOD_FAILED', message: hidden });
  });

  test('in a webhook is logged, and the API continues; an invalid return value of a webhook is a 500', async () => {
    const hook = aNode({ id: 'h', name: 'Hook', type: 'uncaught.uncaught' });
    const id = await createWorkflow(service, aChain([hook, aNode({ name: 'Next', type: 'a-good.good' })]));
    expectStatus(await service.call('POST', `/workflows/${id}/activate`, {}), 200);
    const call = (query: object) =>
      fetch(`${service.url}/webhook/${id}/h/calls?${new URLSearchParams({ ...query })}`, { method: 'POST' });
    for (const mode of modes) {
      const response = await call({ mode });
      expect([response.status, await response.text()]).toEqual([200, 'x']);
      await expectAllAlive();
    }
    for (const status of ['"abc"', '99', '100', '103']) {
      const response = await call({ status });
      expect(response.status).toBe(500);
      expect(await response.json()).toMatchObject({ code: 'WEBHOOK_FAILED' });
    }
    for (const returned of ['5', 'null', '{"workflowData":[{"json":{}}]}']) {
      const response = await call({ returned });
      expect(response.status).toBe(500);
      expect(await response.json()).toMatchObject({ code: 'WEBHOOK_FAILED' });
    }
  });

  test('in a listener counts as a failure of the trigger, even if it has no message', async () => {
    const id = await createWorkflow(service, aChain([aNode({ name: 'Source', type: 'listens.listens' })]));
    expectStatus(await service.call('POST', `/workflows/${id}/activate`, {}), 200);
    await eventually(async () => {
      const [source] = expectStatus(await service.call('GET', `/workflows/${id}/triggers`), 200).data;
      expect(source).toMatchObject({ lastError: hidden });
    });
    expectStatus(await service.call('POST', `/workflows/${id}/deactivate`, {}), 200);
    await expectAllAlive();
  });

  test('in a registration fails the activation, or is recorded as a failed removal', async () => {
    const aHook = (mode: string) =>
      createWorkflow(service, aChain([aNode({ name: 'Hook', type: 'hooks.hooks', parameters: { mode } })]));
    const refused = await service.call('POST', `/workflows/${await aHook('create')}/activate`, {});
    expect(expectStatus(refused, 502)).toMatchObject({ code: 'REGISTRATION_FAILED', message: expect.stringContaining(hidden) });
    const id = await aHook('delete');
    expectStatus(await service.call('POST', `/workflows/${id}/activate`, {}), 200);
    expectStatus(await service.call('POST', `/workflows/${id}/deactivate`, {}), 200);
    await eventually(async () => {
      const [registration] = expectStatus(await service.call('GET', `/workflows/${id}/triggers`), 200).registrations;
      expect(registration).toMatchObject({ lastError: hidden });
    });
    await expectAllAlive();
  });
});
