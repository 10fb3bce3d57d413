import { describe, expect, test } from '@jest/globals';
import { routes } from '../routes.ts';
import { operationGroups } from './operation-group.ts';

const groupOf = operationGroups(routes);

describe('the group of a request', () => {
  test.each([
    ['GET', '/workflows/a/run', 'read'],
    ['POST', '/workflows/a/run', 'run'],
    ['POST', '/workflows/a/run/', 'run'],
    ['POST', '/executions/12/retry', 'run'],
    ['POST', '/executions/12/stop', 'write'],
    ['POST', '/credentials/test', 'credentialTest'],
    ['PATCH', '/credentials/test', 'write'],
    ['DELETE', '/workflows/a', 'write'],
    ['POST', '/nowhere', 'write'],
  ])('%s %s is %s', (method, path, group) => {
    expect(groupOf(method, path)).toBe(group);
  });
});
