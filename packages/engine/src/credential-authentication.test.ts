import { expect, test } from '@jest/globals';
import { AppError } from '@sluice/domain';
import type { HttpRequest } from '@sluice/node-sdk';
import { graphOf, runGraph, testEngine } from './testing/run-graph.ts';
import { testType } from './testing/test-nodes.ts';

test('values derived from a credential for a request are redacted like the credential', async () => {
  const hidden: string[] = [];
  const requests: HttpRequest[] = [];
  const asking = testType('asking', async (context) => {
    const { authenticate } = await context.authentication('basic', 0);
    requests.push((await authenticate?.({ method: 'GET', url: 'http://a.test' }, context.signal)) as HttpRequest);
    return [[...context.items()]];
  });
  const engine = testEngine();
  engine.types.set('base.asking', asking);
  const graph = graphOf(['T -> X'], {
    T: { type: 'manual-trigger' },
    X: { type: 'asking', credentials: { basic: { id: 'c1' } } },
  });
  const credentials = {
    open: async () => ({}),
    authentication: async (credential: { id: string; type: string }) => ({
      authenticate: (request: HttpRequest) => ({
        ...request,
        headers: { Authorization: `Basic ${credential.id} ${credential.type}` },
      }),
    }),
    hide: (secret: string) => void hidden.push(secret),
  };
  const { outcome } = await runGraph(graph, { credentials }, engine);
  expect([outcome.status, requests[0]?.headers, hidden]).toEqual([
    'success',
    { Authorization: 'Basic c1 basic' },
    ['c1 basic'],
  ]);
});

test('a node without a credential of the type gets an error that names the type', async () => {
  const asking = testType('asking', async (context) => {
    await context.authentication('basic', 0);
    return [];
  });
  const engine = testEngine();
  engine.types.set('base.asking', asking);
  const { outcome } = await runGraph(graphOf(['T -> X'], { T: { type: 'manual-trigger' }, X: { type: 'asking' } }), {}, engine);
  expect(outcome).toMatchObject({
    status: 'error',
    error: { code: 'CREDENTIAL_NOT_SET', itemIndex: 0, description: expect.any(String) },
  });
});

test.each(['CREDENTIAL_NOT_FOUND', 'CREDENTIAL_NOT_ACCESSIBLE', 'CREDENTIAL_UNREADABLE'] as const)(
  'a credential without data (%s) fails with the item and a hint',
  async (code) => {
    const asking = testType('asking', async (context) => {
      await context.credentials('basic', 1);
      return [];
    });
    const engine = testEngine();
    engine.types.set('base.asking', asking);
    const refuse = () => Promise.reject(new AppError({ code, message: 'no' }));
    const node = { type: 'asking', credentials: { basic: { id: 'c1' } } };
    const graph = graphOf(['T -> X'], { T: { type: 'manual-trigger' }, X: node });
    const { outcome } = await runGraph(
      graph,
      { credentials: { open: refuse, authentication: refuse, hide: () => {} } },
      engine,
    );
    expect(outcome).toMatchObject({ error: { code, itemIndex: 1, description: expect.any(String) } });
  },
);
