import { expect, test } from '@jest/globals';
import { type ClaimedExecution, StorageQuotaError } from '@sluice/db';
import { WorkflowState } from './workflow-state.ts';

const { signal } = new AbortController();
const node = { id: 'n', name: 'N', type: 't', position: [0, 0] as [number, number], parameters: {} };

test('an execution of a project at its quota stores no more values or messages, but can clear them', async () => {
  const forgotten: unknown[] = [];
  const repository = { clear: async (owner: unknown) => void forgotten.push(owner) };
  const asked: string[] = [];
  const workflowQuota = {
    assertCapacity(projectId: string) {
      asked.push(projectId);
      throw new StorageQuotaError();
    },
  };
  const options = { seenHistory: repository, chatSessions: repository, workflowQuota, workerId: () => 'worker' };
  const state = new WorkflowState(options as unknown as ConstructorParameters<typeof WorkflowState>[0]);
  const { history, chatHistory } = state.of({ workflowId: 'w', projectId: 'p' } as ClaimedExecution, signal);
  const [seen, chat] = [history(node), chatHistory('session')];

  const refused = { code: 'STORAGE_QUOTA_EXCEEDED' };
  await expect(seen.add('node', ['a'], 10, signal)).rejects.toMatchObject(refused);
  await expect(seen.passMark('node', 'number', [1], signal)).rejects.toMatchObject(refused);
  await expect(chat.append([{ role: 'user', content: 'a' }], signal)).rejects.toMatchObject(refused);
  expect(asked).toEqual(['p', 'p', 'p']);
  await seen.clear('node', signal);
  await chat.clear(undefined, signal);
  expect(forgotten).toHaveLength(2);
});
