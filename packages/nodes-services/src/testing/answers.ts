import { manyObjects } from './attack.ts';

/** Members in which services return lists. */
const listMembers = [
  'bases',
  'channels',
  'comments',
  'companies',
  'contacts',
  'data',
  'deals',
  'drafts',
  'drives',
  'files',
  'folders',
  'issues',
  'items',
  'labels',
  'list',
  'lists',
  'members',
  'messages',
  'objects',
  'organizations',
  'records',
  'replies',
  'result',
  'results',
  'tables',
  'tasks',
  'threads',
  'users',
  'values',
  'workflows',
];

/** Members in which services explain an error. */
const errorMembers = [
  'detail',
  'details',
  'error',
  'errors',
  'errorMessages',
  'fault',
  'issues',
  'message',
  'messages',
  'title',
];

/**
 * Responses to any request: lists in every member, deep nesting, broken JSON, and text. Nodes
 * receive the last three as text, since one client reads all responses: api-client.test.ts attacks
 * it with JSON that breaks at its end, which takes longest.
 */
export const answers: Readonly<Record<string, () => string>> = {
  lists: () => `{"ok":true,"id":"1",${listMembers.map((name) => `"${name}":${manyObjects(60_000)}`).join()}}`,
  'deep JSON': () => `{"ok":true,"result":${'[{"a":'.repeat(200_000)}`,
  'broken JSON': () => `{}${manyObjects(1_000_000)}`,
  text: () => 'a'.repeat(12_000_000),
};

/** Status → response to a request of an example, which terminates by itself. */
export const largeResponses: ReadonlyMap<number, () => string> = new Map([
  [200, () => manyObjects(1_000_000)],
  [400, () => `{${errorMembers.map((name) => `"${name}":${manyObjects(60_000)}`).join()}}`],
]);
