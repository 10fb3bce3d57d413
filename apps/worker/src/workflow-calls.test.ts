import { expect, test } from '@jest/globals';
import type { ClaimedExecution } from '@sluice/db';
import { UnavailableError } from '@sluice/domain';
import { SecretScrubber } from '@sluice/vault';
import { WorkflowCalls, type WorkflowCallsOptions } from './workflow-calls.ts';

const parent = { executionId: '1', workflowId: 'caller', mode: 'manual', callDepth: 0 } as unknown as ClaimedExecution;
const target = { id: 'called', name: 'called', sameProject: true, newestHash: 'hash', activeHash: null, settings: null };
const graph = { name: 'called', nodes: [], connections: {} };

/** Fails once as during an outage, then returns the value. */
function afterAnOutage<T>(value: T): () => Promise<T> {
  let isDown = true;
  return async () => {
    if (!isDown) return value;
    isDown = false;
    throw new UnavailableError('the database cannot be reached');
  };
}

const options = () =>
  ({
    callableWorkflows: { find: afterAnOutage(target) },
    graphCache: { get: afterAnOutage(graph) },
    graphs: { store: afterAnOutage(undefined) },
  }) as unknown as WorkflowCallsOptions;

test('an outage of the database delays a call of a workflow, and does not fail it', async () => {
  const calls = new WorkflowCalls(options(), parent, new SecretScrubber(), new AbortController().signal);
  expect(await calls.find('called')).toMatchObject({ id: 'called', graphHash: 'hash' });
  expect(await calls.define(graph)).toMatchObject({ id: 'caller', name: 'called' });
});

test('the end of the execution ends the delay', async () => {
  const calls = new WorkflowCalls(options(), parent, new SecretScrubber(), AbortSignal.abort());
  await expect(calls.find('called')).rejects.toThrow('the database cannot be reached');
});
