import { describe, expect, test } from '@jest/globals';
import type { WebhookRoute } from '@sluice/db';
import { KnownRoutes } from './webhook-routes.ts';

const aRoute = (spec: Partial<WebhookRoute['spec']> = {}, more: Partial<WebhookRoute> = {}): WebhookRoute => ({
  id: '1',
  method: 'POST',
  workflowId: 'w',
  projectId: 'p',
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
const request = { method: 'POST', segments: ['a', 'b'] };

describe('known routes', () => {
  test('are found by method and path segments until they are forgotten', () => {
    const known = new KnownRoutes();
    const route = aRoute();
    known.remember(route);
    expect(known.find(request)).toBe(route);
    expect(known.find({ ...request, method: 'GET' })).toBeUndefined();
    expect(known.find({ ...request, segments: ['a/b'] })).toBeUndefined();
    known.forget(route);
    expect(known.find(request)).toBeUndefined();
  });

  test.each<[string, WebhookRoute]>([
    ['requires a credential', aRoute({ authentication: { type: 'jwtAuth', credentialId: 'c' } })],
    ['allows only some addresses', aRoute({ allowedAddresses: ['10.0.0.1'] })],
    ['ignores bots', aRoute({ ignoresBots: true })],
    ['stores the body as a file', aRoute({ files: { take: 'body' } })],
    ['is described by its node type', aRoute({ described: { name: 'default', handled: false } })],
    ['opens event streams', aRoute({ mcpTransport: 'events' })],
    ['has a page', aRoute({ page: { title: '', subtitle: '', greetings: [], placeholder: '', loadsSession: false } })],
    ['depends on the action in the body', aRoute({ respondsToAction: 'load' })],
    ['belongs to a test URL', aRoute({}, { test: { id: 't', userId: 'u', active: false } })],
    ['has no row for an active workflow', { ...aRoute(), id: undefined } as unknown as WebhookRoute],
  ])('exclude a route that %s', (_, route) => {
    const known = new KnownRoutes();
    known.remember(route);
    expect(known.find(request)).toBeUndefined();
  });

  test('exclude routes with parameters, since a request matches only one of their paths', () => {
    const known = new KnownRoutes();
    known.remember(aRoute({ path: 'a/:b' }));
    expect(known.find(request)).toBeUndefined();
    expect(known.find({ ...request, segments: ['a', ':b'] })).toBeUndefined();
  });

  test('are limited in number, and routes in use are kept', () => {
    const known = new KnownRoutes();
    for (let i = 0; i <= 2_000; i++) {
      known.remember(aRoute({ path: `a/${i}` }));
      known.find({ ...request, segments: ['a', '1'] });
    }
    expect(known.find({ ...request, segments: ['a', '0'] })).toBeUndefined();
    expect(known.find({ ...request, segments: ['a', '1'] })).toBeDefined();
  });
});
