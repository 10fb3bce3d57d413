import type { JsonObject, WorkflowGraph, WorkflowNode } from '@sluice/domain';
import { aChain, aNode } from '@sluice/test-support';
import { aCode, aSet, trigger } from '../e2e/support/workflows.ts';

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
  /** Name of the webhook that starts the workflow; absent if `run` starts it. */
  webhook?: keyof typeof webhookPaths;
}

/** URLs and IDs that workflows refer to. */
export interface Targets {
  /** URL of the effect counter. */
  effectsUrl: string;
  /** Workflow that `parent` calls. */
  childId: string;
  /** Workflow that `parent with a file` calls. */
  readerId: string;
  /** A credential that allows few starts per second. */
  credentialId: string;
}

/** A request that the effect counter records and responds to after a delay. */
function effect(name: string, { effectsUrl }: Targets, delayMs = 0): WorkflowNode {
  const url = `=${effectsUrl}/effect/${name}/{{ $execution.id }}/{{ $runIndex }}?delay=${delayMs}`;
  return aNode({ name, type: 'base.http-request', typeVersion: 4.2, parameters: { method: 'POST', url } });
}

/** Sends the effect counter the URL that resumes this execution. */
function registration(name: string, { effectsUrl }: Targets): WorkflowNode {
  const url = `=${effectsUrl}/effect/${name}/{{ $execution.id }}/0?resumeUrl={{ encodeURIComponent($execution.resumeUrl) }}`;
  return aNode({ name, type: 'base.http-request', typeVersion: 4.2, parameters: { method: 'POST', url } });
}

const wait = (parameters: JsonObject) => aNode({ name: 'Wait', type: 'base.wait', typeVersion: 1.1, parameters });
/** Stores a row for the execution, which counts as an effect. */
function insert(name: string): WorkflowNode {
  return aNode({
    name,
    type: 'base.data-table',
    typeVersion: 1,
    parameters: {
      operation: 'insert',
      dataTableId: { __rl: true, mode: 'name', value: effectTable.name },
      columns: { mappingMode: 'defineBelow', value: { effect: `=${name}/{{ $execution.id }}/{{ $runIndex }}` } },
    },
  });
}

const fail = aNode({ name: 'Fail', type: 'base.stop-and-error', parameters: { errorMessage: 'as intended' } });
const preferred = { settings: { priority: 9 } };
const set = (name: string) => aSet(name, `={{ { from: "${name}", at: $now.toMillis() } }}`);

function webhook(path: string, parameters: JsonObject = {}): WorkflowNode {
  return aNode({
    name: 'Webhook',
    type: 'base.webhook',
    typeVersion: 2.1,
    parameters: { path, httpMethod: 'POST', ...parameters },
  });
}

export const webhookPaths = { immediate: 'chaos-immediate', 'last node': 'chaos-last-node', computed: 'chaos-computed' };

/** The data table with the rows of `insert`. */
export const effectTable = { name: 'effects', columns: [{ name: 'effect', type: 'string' }] };

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
    name: 'failing',
    weight: 2,
    graph: (targets) => aChain([trigger, effect('before', targets), fail, effect('never', targets)]),
    ends: 'error',
    effects: { before: 1 },
  },
  {
    name: 'loop',
    weight: 1,
    graph: (targets) => loop(targets),
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

function call(workflowId: string): WorkflowNode {
  return aNode({ name: 'Call', type: 'base.execute-workflow', typeVersion: 1.1, parameters: { workflowId } });
}

function withCredential(node: WorkflowNode, { credentialId: id }: Targets): WorkflowNode {
  const authentication = { authentication: 'genericCredentialType', genericAuthType: 'httpBasicAuth' };
  return { ...node, parameters: { ...node.parameters, ...authentication }, credentials: { httpBasicAuth: { id, name: 'c' } } };
}

/** Three iterations, then `after`. */
function loop(targets: Targets): WorkflowGraph {
  const three = aCode('Three', 'return [1, 2, 3].map((n) => ({ json: { n } }));');
  const batches = aNode({ name: 'Batches', type: 'base.split-in-batches', typeVersion: 3, parameters: { batchSize: 1 } });
  const once = { ...effect('after', targets), executeOnce: true };
  const graph = aChain([trigger, three, batches]);
  const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];
  return {
    ...graph,
    nodes: [...graph.nodes, effect('each', targets), once],
    connections: {
      ...graph.connections,
      Batches: { main: [to('after'), to('each')] },
      each: { main: [to('Batches')] },
    },
  };
}
