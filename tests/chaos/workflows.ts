import type { WorkflowGraph } from '@sluice/domain';
import { aChain, aNode } from '@sluice/test-support';
import { aCode, aSet, trigger } from '../e2e/support/workflows.ts';
import {
  call,
  effect,
  fail,
  insert,
  loop,
  mcpCall,
  mcpServer,
  question,
  registration,
  set,
  type Targets,
  wait,
  webhook,
  withCredential,
} from './workflow-parts.ts';

/** A workflow of the workload. */
export interface Kind {
  name: string;
  /** Relative frequency of its starts. */
  weight: number;
  graph(targets: Targets): WorkflowGraph;
  /** Status of its executions without faults. */
  ends: 'success' | 'error';
  /**
   * Node → number of runs with an effect in an execution without faults. Other nodes must not have
   * effects.
   */
  effects: Readonly<Record<string, number>>;
  /** The webhook that starts the workflow; absent if `run` starts it. */
  webhook?: keyof typeof webhookPaths;
}

const preferred = { settings: { priority: 9 } };

export const webhookPaths = {
  immediate: 'chaos-immediate',
  'last node': 'chaos-last-node',
  computed: 'chaos-computed',
  mcp: 'mcp/chaos',
};

/** Outlasts the grace period of a worker, which hands the execution back. */
const spin = (ms: number) => `const end = Date.now() + ${ms}; while (Date.now() < end); return $input.all();`;

const event = '$("Webhook").first().json.body.event';

export const kinds: readonly Kind[] = [
  {
    name: 'short',
    weight: 6,
    graph: () => aChain([trigger, set('Set')]),
    ends: 'success',
    effects: {},
  },
  {
    name: 'ten nodes',
    weight: 3,
    graph: (targets) => aChain([trigger, ...Array.from({ length: 8 }, (_, i) => set(`Set ${i}`)), effect('last', targets)]),
    ends: 'success',
    effects: { last: 1 },
  },
  {
    name: 'three effects',
    weight: 4,
    graph: (targets) => aChain([trigger, ...['a', 'b', 'c'].map((name) => effect(name, targets, 300))]),
    ends: 'success',
    effects: { a: 1, b: 1, c: 1 },
  },
  {
    name: 'wait for a time',
    weight: 2,
    graph: (targets) =>
      aChain([trigger, effect('before', targets), wait({ amount: 3, unit: 'seconds' }), effect('after', targets)]),
    ends: 'success',
    effects: { before: 1, after: 1 },
  },
  {
    name: 'wait for a request',
    weight: 2,
    graph: (targets) =>
      aChain([
        trigger,
        registration('register', targets),
        wait({ resume: 'webhook', httpMethod: 'POST' }),
        effect('after', targets),
      ]),
    ends: 'success',
    effects: { register: 1, after: 1 },
  },
  {
    name: 'send and wait',
    weight: 2,
    graph: (targets) => aChain([trigger, question('ask', targets), effect('after', targets)]),
    ends: 'success',
    effects: { ask: 1, after: 1 },
  },
  {
    name: 'parent',
    weight: 2,
    graph: (targets) => aChain([trigger, effect('before', targets), call(targets.childId), effect('after', targets)]),
    ends: 'success',
    effects: { before: 1, after: 1 },
  },
  {
    name: 'code',
    weight: 2,
    graph: (targets) => aChain([trigger, aCode('Code', 'return [{ json: { answer: 6 * 7 } }];'), effect('after', targets)]),
    ends: 'success',
    effects: { after: 1 },
  },
  {
    name: 'long code',
    weight: 1,
    graph: (targets) => aChain([trigger, effect('before', targets), aCode('Code', spin(1_200)), effect('after', targets)]),
    ends: 'success',
    effects: { before: 1, after: 1 },
  },
  {
    name: 'failing',
    weight: 2,
    graph: (targets) => aChain([trigger, effect('before', targets), fail, effect('never', targets)]),
    ends: 'error',
    effects: { before: 1 },
  },
  {
    name: 'loop',
    weight: 1,
    graph: loop,
    ends: 'success',
    effects: { each: 3, after: 1 },
  },
  {
    name: 'webhook, immediate',
    weight: 3,
    graph: (targets) => aChain([webhook(webhookPaths.immediate), effect('after', targets)]),
    ends: 'success',
    effects: { after: 1 },
    webhook: 'immediate',
  },
  {
    name: 'webhook, last node',
    weight: 2,
    graph: (targets) =>
      aChain([
        webhook(webhookPaths['last node'], { responseMode: 'lastNode' }),
        effect('before', targets),
        aSet('Done', `={{ { event: ${event} } }}`),
      ]),
    ends: 'success',
    effects: { before: 1 },
    webhook: 'last node',
  },
  {
    name: 'webhook, computed',
    weight: 3,
    graph: () =>
      aChain([
        webhook(webhookPaths.computed, { responseMode: 'lastNode' }),
        aCode('Code', 'return $input.all();'),
        aSet('Done', `={{ { event: ${event} } }}`),
      ]),
    ends: 'success',
    effects: {},
    webhook: 'computed',
  },
  {
    name: 'MCP server',
    weight: 2,
    graph: (targets) => mcpServer('chaos', targets),
    ends: 'success',
    effects: { tool: 1 },
    webhook: 'mcp',
  },
  {
    name: 'MCP client',
    weight: 2,
    graph: (targets) => aChain([trigger, mcpCall(targets), effect('after', targets)]),
    ends: 'success',
    effects: { after: 1 },
  },
  {
    name: 'computing',
    weight: 4,
    graph: () => aChain([trigger, aCode('Code', 'return [{ json: { answer: 6 * 7 } }];'), set('Set')], preferred),
    ends: 'success',
    effects: {},
  },
  {
    name: 'two at once',
    weight: 2,
    graph: (targets) => aChain([trigger, effect('limited', targets, 600)], { settings: { concurrency: { limit: 2 } } }),
    ends: 'success',
    effects: { limited: 1 },
  },
  {
    name: 'one at once, others skipped',
    weight: 1,
    graph: (targets) =>
      aChain([trigger, effect('limited', targets, 600)], { settings: { concurrency: { limit: 1, whenFull: 'skip' } } }),
    ends: 'success',
    effects: { limited: 1 },
  },
  {
    name: 'rate of a credential',
    weight: 1,
    graph: (targets) => aChain([trigger, withCredential(effect('limited', targets), targets)]),
    ends: 'success',
    effects: { limited: 1 },
  },
  {
    name: 'rows',
    weight: 2,
    graph: (targets) => aChain([trigger, insert('row'), effect('after', targets), insert('last row')]),
    ends: 'success',
    effects: { row: 1, after: 1, 'last row': 1 },
  },
  {
    name: 'parent with a file',
    weight: 1,
    graph: (targets) =>
      aChain([trigger, effect('before', targets), aCode('File', makeFile), call(targets.readerId), effect('after', targets)]),
    ends: 'success',
    effects: { before: 1, after: 1 },
  },
];

const called = aNode({ name: 'Called', type: 'base.execute-workflow-trigger', typeVersion: 1 });

/** The workflow that `parent` calls. */
export const child: Omit<Kind, 'weight'> = {
  name: 'child',
  graph: (targets) => aChain([called, effect('child', targets, 200)]),
  ends: 'success',
  effects: { child: 1 },
};

const makeFile = 'return [{ json: {}, binary: { f: await this.helpers.prepareBinaryData(Buffer.from("content")) } }];';
const readFile = `if (String(await this.helpers.getBinaryDataBuffer(0, 'f')) !== 'content') throw new Error('another file');
return [{ json: {} }];`;

/** The workflow that `parent with a file` calls. */
export const reader: Omit<Kind, 'weight'> = {
  name: 'reader',
  graph: () => aChain([called, aCode('Read', readFile)]),
  ends: 'success',
  effects: {},
};

/** The MCP server that `MCP client` calls. */
export const calledServer: Omit<Kind, 'weight'> = {
  name: 'called MCP server',
  graph: (targets) => mcpServer(calledServerPath, targets),
  ends: 'success',
  effects: { tool: 1 },
};

export const calledServerPath = 'chaos-called';

export const scheduleSeconds = 2;

export const schedule: Omit<Kind, 'weight'> = {
  name: 'schedule',
  graph: (targets) => {
    const rule = { interval: [{ field: 'seconds', secondsInterval: scheduleSeconds }] };
    const clock = aNode({ name: 'Clock', type: 'base.schedule-trigger', typeVersion: 1.2, parameters: { rule } });
    return aChain([clock, effect('tick', targets)]);
  },
  ends: 'success',
  effects: { tick: 1 },
};

export const poll: Omit<Kind, 'weight'> = {
  name: 'poll',
  graph: (targets) => {
    const pollTimes = { item: [{ mode: 'custom', cronExpression: '* * * * * *' }] };
    const parameters = { feedUrl: `${targets.effectsUrl}/feed`, pollTimes };
    return aChain([aNode({ name: 'Feed', type: 'base.rss-feed-read-trigger', parameters }), set('End')]);
  },
  ends: 'success',
  effects: {},
};
