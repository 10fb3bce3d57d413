import { describe, expect, test } from '@jest/globals';
import { Type } from '@sluice/contract';
import type { AuditLog } from '@sluice/db';
import { scopes } from '@sluice/domain';
import type { Services } from '../../context.ts';
import type { PageCursors } from '../../paging/page-cursors.ts';
import { routes } from '../../routes.ts';
import type { RefusalLog } from '../logs/refusal-log.ts';
import { defineRoute, defineRoutes } from './define-route.ts';
import { mountRoutes } from './mount-routes.ts';

const options = {
  services: {} as Services,
  limits: { limitBytes: 1, maxDepth: 1 },
  audit: {} as AuditLog,
  refusals: {} as RefusalLog,
  cursors: {} as PageCursors,
};
const { getThing: route } = defineRoutes({
  getThing: defineRoute({
    method: 'get',
    path: '/things/:id',
    scope: 'workflow:read',
    summary: 'a thing',
    responses: { 200: Type.String() },
    reply: async () => '',
  }),
});

describe('endpoints', () => {
  test('need scopes of the contract', () => {
    for (const { scope } of routes) expect([...scopes, 'none', 'every scope', 'public']).toContain(scope);
  });

  test('have unique operation IDs', () => {
    const names = routes.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  test('have an audit action if and only if they change or start something', () => {
    const onlyReading = ['/workflows/:id/expressions'];
    for (const { method, path, action = '' } of routes) {
      const reads = method === 'get' || (method === 'post' && onlyReading.includes(path));
      expect([path, action]).toEqual([path, expect.stringMatching(reads ? /^$/ : /^[a-zA-Z]+\.[a-zA-Z]+$/)]);
    }
  });

  test('are each served by one route', () => {
    expect(() => mountRoutes([route, route], options)).toThrow('two routes share an endpoint');
    expect(() => mountRoutes([route], options)).not.toThrow();
  });
});
