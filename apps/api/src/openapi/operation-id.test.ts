import { describe, expect, test } from '@jest/globals';
import { routes } from '../routes.ts';
import { operationIdOf } from './operation-id.ts';

describe('operationIdOf', () => {
  test.each([
    ['get', '/workflows', 'listWorkflows'],
    ['post', '/workflows', 'createWorkflow'],
    ['get', '/workflows/:id', 'getWorkflow'],
    ['patch', '/workflows/:id', 'updateWorkflow'],
    ['delete', '/workflows/:id', 'deleteWorkflow'],
    ['post', '/workflows/:id/activate', 'activateWorkflow'],
    ['put', '/credentials/:credentialId/transfer', 'transferCredential'],
    ['get', '/workflows/:id/versions', 'listWorkflowVersions'],
    ['get', '/workflows/:id/versions/:versionId', 'getWorkflowVersion'],
    ['post', '/credentials/test', 'testCredential'],
    ['get', '/node-types/:type', 'getNodeType'],
    ['get', '/api-keys', 'listApiKeys'],
    ['patch', '/projects/:id/members/:userId', 'updateProjectMember'],
  ] as const)('%s %s is %s', (method, path, expected) => {
    expect(operationIdOf({ method, path })).toBe(expected);
  });

  test('no two routes share a name', () => {
    const names = routes.map(operationIdOf);
    expect(new Set(names).size).toBe(names.length);
  });
});
