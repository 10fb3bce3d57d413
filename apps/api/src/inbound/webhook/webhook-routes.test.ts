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
    const knownRoutes = new KnownRoutes();
    const route = aRoute();
    knownRoutes.remember(route);
    expect(knownRoutes.find(request)).toBe(route);
    expect(knownRoutes.find({ ...request, method: 'GET' })).toBeUndefined();
    expect(knownRoutes.find({ ...request, segments: ['a/b'] })).toBeUndefined();
    knownRoutes.forget(route);
    expect(knownRoutes.find(request)).toBeUndefined();
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
    const knownRoutes = new KnownRoutes();
    knownRoutes.remember(route);
    expect(knownRoutes.find(request)).toBeUndefined();
  });

  test('exclude routes with parameters, since a request matches only one of their paths', () => {
    const knownRoutes = new KnownRoutes();
    knownRoutes.remember(aRoute({ path: 'a/:b' }));
    expect(knownRoutes.find(request)).toBeUndefined();
    expect(knownRoutes.find({ ...request, segments: ['a', ':b'] })).toBeUndefined();
  });

  test('are limited in number, and routes in use are kept', () => {
    const knownRoutes = new KnownRoutes();
    for (let i = 0; i <= 2_000; i++) {
      knownRoutes.remember(aRoute({ path: `a/${i}` }));
      knownRoutes.find({ ...request, segments: ['a', '1'] });
    }
    expect(knownRoutes.find({ ...request, segments: ['a', '0'] })).toBeUndefined();
    expect(knownRoutes.find({ ...request, segments: ['a', '1'] })).toBeDefined();
  });
});
