import type { Route } from '../http/route/define-route.ts';

const verbs = { get: 'get', post: 'create', patch: 'update', put: 'replace', delete: 'delete' } as const;

/**
 * Name of an operation in the document, in generated clients, and in the changelog: declared by the
 * route, or derived from method and path (`listWorkflows`, `getWorkflow`, `activateWorkflow`,
 * `listWorkflowVersions`).
 */
export function operationIdOf(route: Pick<Route, 'method' | 'path' | 'operationId'>): string {
  return route.operationId ?? byRule(route);
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
