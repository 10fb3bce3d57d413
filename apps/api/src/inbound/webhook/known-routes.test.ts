import { describe, expect, test } from '@jest/globals';
import type { WebhookRoute } from '@sluice/db';
import { KnownRoutes } from './known-routes.ts';

const aRoute = (spec: Partial<WebhookRoute['spec']> = {}, more: Partial<WebhookRoute> = {}): WebhookRoute => ({
  id: '1',
  method: 'POST',
  workflowId: 'w',
  nodeName: 'Webhook',
  output: 0,
  graphHash: 'h',
  spec: {
    kind: 'webhook',
    methods: ['POST'],
    path: 'a/b',
    files: { take: 'all' },
    response: { mode: 'onReceived', status: 200, headers: {}, data: 'noData' },
    ...spec,
  },
  ...more,
});
const call = { method: 'POST', segments: ['a', 'b'] };

describe('routes that are known', () => {
  test('are found by method and parts of the path, until they are forgotten', () => {
    const known = new KnownRoutes();
    const route = aRoute();
    known.remember(route);
    expect(known.find(call)).toBe(route);
    expect(known.find({ ...call, method: 'GET' })).toBeUndefined();
    expect(known.find({ ...call, segments: ['a/b'] })).toBeUndefined();
    known.forget(route);
    expect(known.find(call)).toBeUndefined();
  });

  test.each<[string, WebhookRoute]>([
    ['asks for a credential', aRoute({ authentication: { type: 'jwtAuth', credentialId: 'c' } })],
    ['asks for an address', aRoute({ allowedAddresses: ['10.0.0.1'] })],
    ['turns programs away', aRoute({ ignoresBots: true })],
    ['stores the body', aRoute({ files: { take: 'body' } })],
    ['is described by the type of its node', aRoute({ described: { name: 'default', handled: false } })],
    ['is that of a test URL', aRoute({}, { test: { id: 't', userId: 'u', active: false } })],
    ['was not found among the routes of active workflows', { ...aRoute(), id: undefined } as unknown as WebhookRoute],
  ])('are none that %s', (_, route) => {
    const known = new KnownRoutes();
    known.remember(route);
    expect(known.find(call)).toBeUndefined();
  });

  test('are none with parameters: what has been called there says nothing of other calls', () => {
    const known = new KnownRoutes();
    known.remember(aRoute({ path: 'a/:b' }));
    expect(known.find(call)).toBeUndefined();
    expect(known.find({ ...call, segments: ['a', ':b'] })).toBeUndefined();
  });

  test('are not ever more', () => {
    const known = new KnownRoutes();
    for (let i = 0; i <= 1_000; i++) known.remember(aRoute({ path: `a/${i}` }));
    expect(known.find({ ...call, segments: ['a', '0'] })).toBeUndefined();
    expect(known.find({ ...call, segments: ['a', '1'] })).toBeDefined();
  });
});
