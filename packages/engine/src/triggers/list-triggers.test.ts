import { expect, test } from '@jest/globals';
import { type JsonObject, type TriggerSpec, ValidationError, type WorkflowNode } from '@sluice/domain';
import { NodeOperationError, type NodeType } from '@sluice/node-sdk';
import { createSandbox, type Sandbox } from '@sluice/sandbox';
import { longestBusy } from '@sluice/test-support';
import { TestSandbox } from '../testing/test-sandbox.ts';
import { listTriggers } from './list-triggers.ts';

const spec = (cron: string): TriggerSpec => ({
  kind: 'schedule',
  rules: [{ cron }],
  misfire: 'skip',
  graceMs: 0,
  overlap: 'allow',
});

const description: NodeType['description'] = {
  displayName: 'Clock',
  name: 'clock',
  group: ['trigger'],
  version: [1, 2],
  description: '',
  defaults: { name: 'Clock' },
  inputs: [],
  outputs: ['main'],
  properties: [],
};

const clock: NodeType = {
  description,
  triggers({ parameter, typeVersion, workflow }) {
    const cron = parameter<string>('cron', 0, '');
    if (cron === 'wrong') throw new NodeOperationError('that is no time', { description: 'Use five fields' });
    return typeVersion === 1 ? [] : [spec(`${cron} ${workflow.name}`)];
  },
};

/** A schedule or a poll with any number of rules. */
const rules = (kind: 'schedule' | 'poll'): NodeType => ({
  description,
  triggers({ parameter }) {
    const count = parameter<number>('rules', 0);
    const { rules, ...schedule } = { ...spec(''), rules: Array.from({ length: count }, () => ({ cron: '0 9 * * *' })) };
    return [kind === 'schedule' ? ({ ...schedule, rules } as TriggerSpec) : { kind, rules, fingerprint: '' }];
  },
});
const events: NodeType = { description, triggers: () => [{ kind: 'workflow', events: ['activate'] }] };

const types = new Map<string, NodeType>([
  ['base.clock', clock],
  ['base.events', events],
  ['base.schedule', rules('schedule')],
  ['base.poll', rules('poll')],
  ['base.other', { description: { ...description, name: 'other' } }],
]);

function list(...nodes: Partial<WorkflowNode>[]) {
  return listIn(new TestSandbox(), ...nodes);
}

function listIn(sandbox: Sandbox, ...nodes: Partial<WorkflowNode>[]) {
  const complete = nodes.map(
    (node, i): WorkflowNode => ({ name: `n${i}`, type: 'base.clock', position: [0, 0], parameters: {}, ...node }),
  );
  const request = {
    workflow: { id: 'w', projectId: 'p' },
    graph: { name: 'W', nodes: complete, connections: {} },
    timezone: 'UTC',
    vars: {},
    env: {},
  };
  const ports = { nodeTypes: { find: (type: string) => types.get(type) }, sandbox, now: () => 0 };
  return listTriggers(ports, request, new AbortController().signal);
}

const cron = (text: string): { parameters: JsonObject } => ({ parameters: { cron: text } });

test('triggers are listed in the order of the graph', async () => {
  expect(await list(cron('a'), { type: 'base.other' }, cron('b'), { ...cron('c'), typeVersion: 1 })).toEqual([
    { nodeName: 'n0', spec: spec('a W') },
    { nodeName: 'n2', spec: spec('b W') },
  ]);
});

test('disabled nodes and unknown types have no triggers', async () => {
  expect(await list({ ...cron('wrong'), disabled: true }, { type: 'no.such' })).toEqual([]);
});

test('a parameter may refer to another parameter that is an expression', async () => {
  const sandbox = createSandbox({ timeoutMs: 10_000, memoryMb: 32, threads: 1 });
  const parameters = { cron: '={{ $parameter.at }}', at: '={{ $workflow.name + 1 }}' };
  try {
    expect(await listIn(sandbox, { parameters })).toEqual([{ nodeName: 'n0', spec: spec('W1 W') }]);
  } finally {
    await sandbox.close();
  }
});

test('the errors of all nodes are reported together, with their location and hint', async () => {
  const refused = list(cron('wrong'), cron('a'), { ...cron('b'), typeVersion: 3 });
  await expect(refused).rejects.toThrow(ValidationError);
  await expect(refused).rejects.toMatchObject({
    details: [
      { path: '/nodes/0/parameters', message: 'node "n0": that is no time. Use five fields' },
      {
        path: '/nodes/2/parameters',
        message:
          'node "n2" has version 3 of type "base.clock", which has 1, 2. Set typeVersion to a version that the type has.',
      },
    ],
  });
});

const schedule = (rules: number) => ({ type: 'base.schedule', parameters: { rules } });
const poll = (rules: number) => ({ type: 'base.poll', parameters: { rules } });

test('a workflow can have at most 100 schedule rules and poll times, and the error names the node that exceeds them', async () => {
  expect(await list(schedule(60), poll(40))).toHaveLength(2);
  expect(await list(schedule(60), { ...schedule(60), disabled: true }, poll(40))).toHaveLength(2);
  const message = 'node "n1": a workflow has at most 100 schedule rules and poll times, over all its nodes';
  const details = [{ path: '/nodes/1/parameters', message }];
  await expect(list(schedule(60), poll(41), schedule(1))).rejects.toMatchObject({ details });
  await expect(list({ type: 'base.events' }, schedule(100_000))).rejects.toMatchObject({ details });
});

test.each([
  ['unbalanced braces', '{{ { }}'.repeat(20_000)],
  ['substitutions nested 10,000 deep', `{{ ${'`${'.repeat(10_000)} }}`],
  ['parameters nested 10,000 deep', undefined],
])('a hostile template is an issue of its node, not a defect: %s', async (_, text) => {
  const sandbox = createSandbox({ timeoutMs: 10_000, memoryMb: 32, threads: 1 });
  let nested: JsonObject = {};
  for (let depth = 0; depth < 10_000; depth += 1) nested = { nested };
  try {
    const listing = listIn(sandbox, text === undefined ? { parameters: nested } : cron(`=${text}`));
    await expect(listing).rejects.toBeInstanceOf(ValidationError);
  } finally {
    await sandbox.close();
  }
});

test('thousands of trigger nodes are listed in time slices', async () => {
  const nodes = Array.from({ length: 5_000 }, () => ({ type: 'base.events', parameters: { at: '0 0 * * *' } }));
  const busy = await longestBusy(async () => expect(await list(...nodes)).toHaveLength(5_000));
  expect(busy).toBeLessThan(250);
});
