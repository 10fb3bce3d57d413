import { describe, expect, test } from '@jest/globals';
import { Type } from '@sluice/contract';
import { scopes } from '@sluice/domain';
import { endpointScopes } from '../endpoint-scopes.ts';
import { routes } from '../routes.ts';
import type { Services } from '../services.ts';
import { defineRoute } from './define-route.ts';
import { endpointOf, mountRoutes } from './mount-routes.ts';

const options = { services: {} as Services, limits: { limitBytes: 1, maxDepth: 1 } };
const route = defineRoute({
  method: 'get',
  path: '/things/:id',
  summary: 'a thing',
  replies: { 200: Type.String() },
  handle: async () => ({ status: 200, body: '' }),
});

describe('endpoints and scopes', () => {
  test('match one to one, and every scope is one of the contract', () => {
    expect(Object.keys(endpointScopes).sort()).toEqual(routes.map(endpointOf).sort());
    for (const scope of Object.values(endpointScopes)) expect(scopes).toContain(scope);
  });

  test('a route without a scope, and a scope without a route, stop the process', () => {
    expect(() => mountRoutes([route], {}, options)).toThrow('no scope for GET /things/:id');
    expect(() => mountRoutes([], { 'GET /x': 'workflow:read' }, options)).toThrow('no route for GET /x');
    expect(() => mountRoutes([route, route], { 'GET /things/:id': 'workflow:read' }, options)).toThrow('two routes');
    expect(() => mountRoutes([route], { 'GET /things/:id': 'workflow:read' }, options)).not.toThrow();
  });
});
