import type { Route } from '../http/define-route.ts';
import { endpointOf } from '../http/mount-routes.ts';

/** Endpoints that the rule would name badly. */
const given: Readonly<Record<string, string>> = {
  'GET /api-keys/scopes': 'listScopes',
  'DELETE /api-keys/:id': 'revokeApiKey',
  'GET /credentials/new': 'getNewCredentialName',
  'GET /credentials/schema/:type': 'getCredentialSchema',
  'POST /credentials/:credentialId/oauth2/authorize': 'authorizeCredential',
  'POST /executions/delete': 'deleteExecutions',
  'POST /executions/stopMany': 'stopManyExecutions',
  'GET /executions/:id/events': 'streamExecutionEvents',
  'POST /projects/:id/members': 'addProjectMember',
  'DELETE /projects/:id/members/:userId': 'removeProjectMember',
  'POST /workflows/:id/test-urls': 'openTestUrls',
  'GET /workflows/:id/test-urls': 'getTestUrls',
  'DELETE /workflows/:id/test-urls': 'closeTestUrls',
};

const verbs = { get: 'get', post: 'create', patch: 'update', put: 'replace', delete: 'delete' } as const;

/**
 * How the document, generated clients and the changelog name an operation: `listWorkflows`, `getWorkflow`, `activateWorkflow`,
 * `listWorkflowVersions`. It follows from method and path, so that it stays as long as they do.
 */
export function operationIdOf(route: Pick<Route, 'method' | 'path'>): string {
  return given[endpointOf(route)] ?? byRule(route);
}

function byRule({ method, path }: Pick<Route, 'method' | 'path'>): string {
  const parts = path.split('/').slice(1);
  const words = parts.filter((part) => !part.startsWith(':'));
  const last = words.at(-1) ?? '';
  const isAction = method !== 'get' && words.length > 1 && !last.endsWith('s') && parts.at(-1) === last;
  if (isAction) return `${last}${singular(words.slice(0, -1))}`;
  const isList = method === 'get' && parts.at(-1) === last && last.endsWith('s');
  return isList ? `list${singular(words.slice(0, -1))}${pascal(last)}` : `${verbs[method]}${singular(words)}`;
}

function singular(words: readonly string[]): string {
  return words.map((word) => pascal(word.replace(/ies$/, 'y').replace(/(?<!s)s$/, ''))).join('');
}

function pascal(word: string): string {
  return word.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
