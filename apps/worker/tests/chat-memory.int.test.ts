import { afterAll, expect, test } from '@jest/globals';
import { Access, ChatSessionRepository, ExecutionRepository, ExecutionStarter, WorkflowRepository } from '@sluice/db';
import { isTerminal } from '@sluice/domain';
import { aNode, eventually } from '@sluice/test-support';
import { Fleet } from './support/fleet.ts';

const access = new Access('all');
const fleet = await Fleet.start();
await fleet.work();
await fleet.work();
afterAll(() => fleet.close());

const to = (node: string, type: string) => ({ [type]: [[{ node, type, index: 0 }]] });

/** Adds an exchange that names the execution to the conversation `k`. */
async function aWorkflow() {
  const messages = [
    { type: 'user', message: '=question {{ $execution.id }}' },
    { type: 'ai', message: '=answer {{ $execution.id }}' },
  ];
  const graph = {
    name: 'chat',
    nodes: [
      aNode({ name: 'Start', type: 'base.manual-trigger' }),
      aNode({ name: 'Note', type: 'ai.memory-manager', parameters: { mode: 'insert', messages: { messageValues: messages } } }),
      aNode({ name: 'Memory', type: 'ai.memory-buffer-window', parameters: { sessionIdType: 'customKey', sessionKey: 'k' } }),
    ],
    connections: { Start: to('Note', 'main'), Memory: to('Note', 'ai_memory') },
    settings: {},
  };
  const created = { projectId: await fleet.aProject(), graph, staticData: null, meta: null, authorId: fleet.userId };
  return new WorkflowRepository(fleet.db.kysely).create(created, access);
}

test('concurrent executions on two workers share a conversation and lose nothing', async () => {
  const { id: workflowId, graphHash } = await aWorkflow();
  const started = { workflowId, access, graphHash, mode: 'trigger', userId: null } as const;
  const starter = new ExecutionStarter(fleet.db);
  const ids = await Promise.all(Array.from({ length: 12 }, () => starter.start(started)));
  await Promise.all(ids.map((executionId) => fleet.queue.enqueue({ executionId, attempt: 1 })));
  const executions = new ExecutionRepository(fleet.db);
  for (const id of ids) {
    const ended = await eventually(async () => {
      const execution = await executions.get(id, access);
      return isTerminal(execution.status) && execution;
    });
    expect(ended).toMatchObject({ status: 'success' });
  }
  const sessions = new ChatSessionRepository(fleet.db.kysely, { maxBytesPerWorkflow: 1_000_000 });
  const contents = (await sessions.read({ workflowId, key: 'k' })).map(({ content }) => content);
  expect(contents.filter((_, index) => index % 2 === 0).toSorted()).toEqual(ids.map((id) => `question ${id}`).toSorted());
  for (let index = 0; index < contents.length; index += 2)
    expect(contents[index + 1]).toBe(contents[index]?.replace('question', 'answer'));
});
