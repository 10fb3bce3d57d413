import { describe, expect, test } from '@jest/globals';
import { Type } from '@sluice/contract';
import type { AuditLog } from '@sluice/db';
import { scopes } from '@sluice/domain';
import type { RefusalLog } from '../audit/refusal-log.ts';
import { endpointActions } from '../endpoint-actions.ts';
import { endpointScopes } from '../endpoint-scopes.ts';
import type { PageCursors } from '../paging/page-cursors.ts';
import { routes } from '../routes.ts';
import type { Services } from '../services.ts';
import { defineRoute } from './define-route.ts';
import { endpointOf, mountRoutes } from './mount-routes.ts';

const options = {
  services: {} as Services,
  limits: { limitBytes: 1, maxDepth: 1 },
  audit: {} as AuditLog,
  refusals: {} as RefusalLog,
  cursors: {} as PageCursors,
};
const route = defineRoute({
  method: 'get',
  path: '/things/:id',
  summary: 'a thing',
  replies: { 200: Type.String() },
  handle: async () => ({ status: 200, body: '' }),
});

const change = defineRoute({
  method: 'post',
  path: '/things',
  summary: 'a change',
  replies: { 200: Type.String() },
  handle: async () => ({ status: 200, body: '' }),
});
const scope = 'workflow:read';
const groups = {};

describe('endpoints', () => {
  test('and scopes match one to one, and every scope is one of the contract', () => {
    expect(Object.keys(endpointScopes).sort()).toEqual(routes.map(endpointOf).sort());
    for (const needed of Object.values(endpointScopes)) expect([...scopes, 'none', 'every scope']).toContain(needed);
  });

  test('that change or start something have an action for the audit log, and no other', () => {
    const changes = routes.filter(({ method }) => method !== 'get').map(endpointOf);
    expect(Object.keys(endpointActions).sort()).toEqual(changes.sort());
    for (const action of Object.values(endpointActions)) expect(action).toMatch(/^[a-zA-Z]+\.[a-zA-Z]+$/);
  });

  test('a route without a scope, and a scope without a route, stop the process', () => {
    const actions = {};
    expect(() => mountRoutes([route], { scopes: {}, actions, groups }, options)).toThrow('no scope for GET /things/:id');
    expect(() => mountRoutes([], { scopes: { 'GET /x': scope }, actions, groups }, options)).toThrow(
      'scope without a route: GET /x',
    );
    const tables = { scopes: { 'GET /things/:id': scope }, actions, groups } as const;
    expect(() => mountRoutes([route, route], tables, options)).toThrow('two routes');
    expect(() => mountRoutes([route], tables, options)).not.toThrow();
  });

  test('a change without an action, and an action without a change, stop the process', () => {
    const scopesOf = { 'POST /things': scope } as const;
    expect(() => mountRoutes([change], { scopes: scopesOf, actions: {}, groups }, options)).toThrow(
      'no audit action for POST /things',
    );
    const actions = { 'POST /things': 'thing.make' };
    expect(() => mountRoutes([change], { scopes: scopesOf, actions, groups }, options)).not.toThrow();
    expect(() => mountRoutes([], { scopes: {}, actions, groups }, options)).toThrow(
      'audit action without a route: POST /things',
    );
  });

  test('a limit group without a route stops the process', () => {
    const tables = { scopes: { 'POST /things': scope }, actions: { 'POST /things': 'thing.make' } } as const;
    expect(() => mountRoutes([change], { ...tables, groups: { 'POST /things': 'run' } }, options)).not.toThrow();
    const wrong = { ...tables, groups: { 'POST /thing': 'run' } } as const;
    expect(() => mountRoutes([change], wrong, options)).toThrow('limit group without a route: POST /thing');
  });
});
