import { afterAll, expect, test } from '@jest/globals';
import { Access, ExecutionRepository, ExecutionStarter, RunDataRepository, WorkflowRepository } from '@sluice/db';
import { type Connections, isTerminal, type WorkflowNode } from '@sluice/domain';
import type { NodeType } from '@sluice/node-sdk';
import { withAiTypes } from '@sluice/nodes-ai';
import { createNodeTypeRegistry, lazyNodeTypes } from '@sluice/nodes-base/loading';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { Fleet } from './support/fleet.ts';

const access = new Access('all');
const secret = 'the secret of a service';

const aType = (name: string, execute: NonNullable<NodeType['execute']>): NodeType => ({
  description: {
    displayName: name,
    name,
    group: ['transform'],
    version: 1,
    description: name,
    defaults: { name },
    inputs: ['main'],
    outputs: ['main'],
    properties: [],
  },
  execute,
});

/** Outputs a secret, like a service that echoes its request. */
const echo = aType('echo', (context) => {
  context.hideSecret(secret);
  return [[{ json: { echoed: secret } }]];
});

/** Passes its item to its tool and outputs the result. */
const asker = aType('asker', async (context) => {
  const [tool] = await context.connected('ai_tool', 0);
  const query = `find ${String(context.items()[0]?.json['echoed'])}`;
  return [[{ json: { answer: (await tool?.value.run({ query }, context.signal)) ?? null } }]];
});

const fleet = await Fleet.start();
const projectId = await fleet.aProject();
await fleet.work({ engine: { nodeTypes: withAiTypes(createNodeTypeRegistry([echo, asker], new Map(), lazyNodeTypes)) } });
afterAll(() => fleet.close());

async function aWorkflow(nodes: WorkflowNode[], attached: WorkflowNode[] = [], connections: Connections = {}) {
  const chain = aChain(nodes);
  const graph = { ...chain, nodes: [...chain.nodes, ...attached], connections: { ...chain.connections, ...connections } };
  const created = { projectId, graph, staticData: null, meta: null, authorId: fleet.userId };
  return new WorkflowRepository(fleet.db.kysely).create(created, access);
}

test('a tool use calls a workflow once, even though its item and input are recorded without the secret that they contain', async () => {
  const answer = { mode: 'raw', jsonOutput: '{ "found": true }' };
  const sub = await aWorkflow([
    aNode({ name: 'Called', type: 'base.execute-workflow-trigger' }),
    aNode({ name: 'Answer', type: 'base.set', typeVersion: 3.4, parameters: answer }),
  ]);
  const parameters = { description: 'finds things', workflowId: sub.id };
  const { id: workflowId, graphHash } = await aWorkflow(
    [
      aNode({ name: 'Start', type: 'base.manual-trigger' }),
      aNode({ name: 'Echo', type: 'base.echo' }),
      aNode({ name: 'Agent', type: 'base.asker' }),
    ],
    [aNode({ name: 'Tool', type: 'ai.tool-workflow', typeVersion: 2.2, parameters })],
    { Tool: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] } },
  );
  const executionId = await new ExecutionStarter(fleet.db).start({
    workflowId,
    access,
    graphHash,
    mode: 'trigger',
    userId: null,
  });
  await fleet.queue.enqueue({ executionId, attempt: 1 });
  const executions = new ExecutionRepository(fleet.db);
  const ended = await eventually(async () => {
    const execution = await executions.get(executionId, access);
    return isTerminal(execution.status) && execution;
  });
  expect(ended).toMatchObject({ status: 'success', error: null });
  const runs = await new RunDataRepository(fleet.db).listNodeRuns(executionId);
  expect(JSON.stringify(runs)).not.toContain(secret);
  expect(runs.at(-1)?.run.data?.['main']?.[0]?.[0]?.json).toEqual({ answer: { found: true } });
  const calls = fleet.db.kysely.selectFrom('executions').select('id').where('workflow_id', '=', sub.id);
  expect(await calls.execute()).toHaveLength(1);
});
