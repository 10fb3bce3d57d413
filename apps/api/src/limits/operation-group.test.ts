import { describe, expect, test } from '@jest/globals';
import { operationGroup } from './operation-group.ts';

describe('operationGroup', () => {
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
  ])('%s %s is of %s', (method, path, group) => {
    expect(operationGroup(method, path)).toBe(group);
  });
});
