import { afterAll, describe, expect, test } from '@jest/globals';
import { createApiClient } from '@sluice/api-client';
import { aSmallWorkflow } from '@sluice/test-support';
import { startService } from './harness.ts';
import { stopIn } from './support/cleanup.ts';

const stopAfterAll = stopIn(afterAll);

const service = stopAfterAll(await startService());
const url = service.url;
const client = createApiClient({ url, apiKey: service.apiKey });

/** The data of a response. Throws the errors that the client returns as values. */
async function dataOf<T>(received: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await received;
  if (data === undefined) throw new Error(`responded ${response.status}: ${JSON.stringify(error)}`);
  return data;
}

async function newWorkflow() {
  const { nodes, connections } = aSmallWorkflow();
  return dataOf(client.POST('/workflows', { body: { name: 'typed', nodes, connections } }));
}

describe('the generated client', () => {
  test('creates, runs, and deletes a workflow', async () => {
    const { id, active } = await newWorkflow();
    expect(active).toBe(false);
    const path = { id };

    const run = await dataOf(
      client.POST('/workflows/{id}/run', { params: { path, header: { Prefer: 'wait=20' } }, body: { destinationNode: 'Set' } }),
    );
    expect([run.finished, run.status]).toEqual([true, 'success']);
    expect(run.data.resultData.runData['Set']?.[0]?.data?.['main']?.[0]?.[0]?.json).toEqual({ answer: 42 });

    const query = { workflowId: id, status: 'success', limit: 10, includeData: true };
    const page = await dataOf(client.GET('/executions', { params: { query } }));
    expect(page.data.map((execution) => execution.id)).toEqual([run.executionId]);

    expect(await dataOf(client.DELETE('/workflows/{id}', { params: { path } }))).toEqual({ id, name: 'typed' });
    const { error } = await client.GET('/workflows/{id}', { params: { path } });
    expect(error?.code).toBe('NOT_FOUND');
  });

  test('rejects a save whose ETag is stale', async () => {
    const { id } = await newWorkflow();
    const path = { id };
    const response = await client.GET('/workflows/{id}', { params: { path } });
    const save = (name: string) => {
      const header = { 'If-Match': response.response.headers.get('etag') ?? '' };
      return client.PATCH('/workflows/{id}', { params: { path, header }, body: { name } });
    };
    expect((await dataOf(save('first'))).name).toBe('first');
    expect((await save('second')).error?.code).toBe('VERSION_CONFLICT');
  });

  test('pages through a list with the cursor', async () => {
    const created = [await newWorkflow(), await newWorkflow(), await newWorkflow()].map(({ id }) => id);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await dataOf(client.GET('/workflows', { params: { query: { limit: 2, ...(cursor && { cursor }) } } }));
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(expect.arrayContaining(created));
  });

  test('returns errors as values with their code', async () => {
    const unauthorized = createApiClient({ url: `${url}/`, apiKey: 'an-unknown-key' });
    const { data, error, response } = await unauthorized.GET('/projects');
    expect([data, error?.code, response.status]).toEqual([undefined, 'UNAUTHORIZED', 401]);
  });
});
