import type { JsonValue } from '@sluice/domain';
import { wordExamples } from './examples.ts';

interface ParameterText {
  /** Where the contract has none. */
  description?: string;
  /** Where there is no default. */
  example?: JsonValue;
}

const fileTag = '"5f0d3c9a7be1482690d4f3b17ac85e2d6b90f4c81e37a52d"';

/** Query parameter or header → its description and example in the document. */
const texts: Readonly<Record<string, ParameterText>> = {
  cursor: { example: 'eyJraW5kIjoiZXhlY3V0aW9ucyIsImlkIjoiMTA0MiJ9' },
  limit: { description: 'entries of the page at most' },
  name: { description: 'only those whose name contains this, ignoring case', example: 'invoice' },
  active: { description: 'true: only active ones; false: only inactive ones', example: true },
  tags: { example: 'billing,nightly' },
  projectId: { description: 'only those of this project', example: wordExamples.projectId },
  excludePinnedData: { description: 'leaves `pinData` out' },
  includeData: { description: 'the data, too' },
  includeScopes: { description: 'also the scopes of the caller for each of them' },
  status: { example: 'error,crashed' },
  workflowId: { description: 'only those of this workflow', example: wordExamples.workflowId },
  lastId: { example: wordExamples.executionId },
  startedAfter: {
    description: 'only those that started then or later; of one that is `new` the time of its creation counts',
    example: wordExamples.instant,
  },
  startedBefore: {
    description: 'only those that started then or earlier; of one that is `new` the time of its creation counts',
    example: '2026-11-21',
  },
  mode: { description: 'only those that were started in this way', example: 'manual' },
  filter: { example: '{"type":"httpBasicAuth"}' },
  search: { example: 'google sheets' },
  sortBy: { example: 'age:desc' },
  'filter[name]': { description: 'part of the name, in any case', example: 'mail' },
  'filter[type]': { description: 'only credentials of this type', example: wordExamples.type },
  'filter[projectId]': { description: 'only those that this project owns', example: wordExamples.projectId },
  transferTo: { example: wordExamples.destinationProjectId },
  since: { example: wordExamples.instant },
  actor: { example: wordExamples.email },
  object: { example: wordExamples.workflowId },
  Prefer: { example: 'wait=30' },
  'Idempotency-Key': { example: 'invoice-4711' },
  'If-Match': { example: `"${wordExamples.versionId}"` },
  'Last-Event-ID': { example: '3-running' },
  Range: { example: 'bytes=0-1023' },
  'If-Range': { example: fileTag },
  'If-None-Match': { example: fileTag },
  ETag: { example: `"${wordExamples.versionId}"` },
};

/** Texts of parameters whose meaning differs from the usual one of their name. */
const ofPath: Readonly<Record<string, ParameterText>> = {
  '/statistics projectId': { description: 'only executions of this project', example: wordExamples.projectId },
  '/statistics workflowId': { description: 'only executions of this workflow', example: wordExamples.workflowId },
  '/event-subscriptions/:id/deliveries status': { description: 'only deliveries with this status', example: 'failed' },
  '/data-tables/:id/rows filter': { example: '{"type":"and","filters":[{"columnName":"age","condition":"gte","value":18}]}' },
  '/credentials/new name': { description: 'the name to begin with; a number is added where it is taken' },
};

/** The resource of an `id`, by the first part of the path. */
const things: Readonly<Record<string, string>> = {
  workflows: 'workflow',
  tags: 'tag',
  executions: 'execution',
  'binary-data': 'file',
  'api-keys': 'API key',
  sessions: 'session',
  users: 'user',
  projects: 'project',
  'event-subscriptions': 'event subscription',
  'data-tables': 'data table',
};
const typed: Readonly<Record<string, string>> = {
  'node-types': 'node type',
  'credential-types': 'credential type',
  credentials: 'credential type',
};
const otherIds: Readonly<Record<string, string>> = {
  versionId: 'version',
  credentialId: 'credential',
  userId: 'member',
  deliveryId: 'delivery',
  columnId: 'column',
};

export function textOf(name: string, path = ''): ParameterText {
  return ofPath[`${path} ${name}`] ?? texts[name] ?? {};
}

const otherNames: Readonly<Record<string, string>> = {
  kind: 'loadOptions, listSearch, resourceMapping, actionHandler or credentialTest',
  method: 'name of the method; for loadOptions also the dotted path of a parameter with declared choices',
};

/** `undefined` if it is missing, which a test reports. */
export function pathParameterDescription(name: string, path: string): string | undefined {
  const resource = path.split('/')[1] ?? '';
  if (name === 'type') return `name of the ${typed[resource]}`;
  if (Object.hasOwn(otherNames, name)) return otherNames[name];
  const thing = name === 'id' ? things[resource] : otherIds[name];
  return thing && `id of the ${thing}`;
}
