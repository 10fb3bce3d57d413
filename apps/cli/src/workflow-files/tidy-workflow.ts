import { type CreateWorkflowBody, checkGraph, compileValidator, createWorkflowBody } from '@sluice/contract';
import { isAppError, isJsonObject, type JsonObject, type JsonValue, userKeyed, type ValidationIssue } from '@sluice/domain';
import { tidyConnections } from './tidy-connections.ts';
import { type TidyNode, tidyNodes } from './tidy-nodes.ts';
import { quoted, type Warn } from './warnings.ts';

/** A workflow from a file in the API's format. */
export interface TidiedWorkflow {
  workflow: Omit<CreateWorkflowBody, 'tags'>;
  /**
   * Names of tags, because their IDs differ between instances. `undefined` if the file has no list
   * of tags.
   */
  tagNames: string[] | undefined;
  /** Messages about changes, dropped parts, and parts that cannot run. */
  warnings: string[];
}

const maxNameLength = 128;
const validate = compileValidator(createWorkflowBody);

/**
 * Converts a document to a workflow in the API's format, and reports changes. The workflow is
 * always inactive. Throws an error with the reason if the document is not a workflow.
 *
 * @param fallbackName for a workflow without a name
 */
export function tidyWorkflow(
  document: JsonObject,
  { fallbackName, maxNodes }: { fallbackName: string; maxNodes: number },
): TidiedWorkflow {
  if (!Array.isArray(document['nodes'])) throw new Error('it has no list of nodes');
  const warnings: string[] = [];
  const warn: Warn = (text) => void warnings.push(text);
  const nodes = tidyNodes(document['nodes'], warn);
  const body = pruned(
    {
      ...idOf(document['id'], warn),
      name: nameOf(document['name'], fallbackName, warn),
      nodes,
      connections: tidyConnections(document['connections'], nodes, warn) as JsonObject,
      ...optional('settings', isJsonObject(document['settings']) ? document['settings'] : undefined),
      ...optional('staticData', staticDataOf(document['staticData'], warn)),
      ...optional('pinData', pinDataOf(document['pinData'], nodes, warn)),
      ...optional('meta', isJsonObject(document['meta']) ? document['meta'] : undefined),
    },
    warn,
  );
  const issues = checkGraph(body, { maxNodes });
  if (issues.length > 0) throw invalidWorkflow(issues);
  return { workflow: body, tagNames: tagNamesOf(document['tags']), warnings };
}

function optional(name: string, value: JsonValue | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
}

function idOf(id: JsonValue | undefined, warn: Warn): { id?: string } {
  if (id === undefined || id === null || id === '') return {};
  if (/^[\w-]{1,64}$/.test(String(id))) return { id: String(id) };
  warn(`the ID ${quoted(String(id))} is invalid: the workflow gets a new ID`);
  return {};
}

function nameOf(value: JsonValue | undefined, fallback: string, warn: Warn): string {
  const name = typeof value === 'string' && value.trim() !== '' ? value.trim() : fallback;
  const points = [...name];
  if (points.length <= maxNameLength) return name;
  warn(`the name is longer than ${maxNameLength} characters: truncated`);
  return points.slice(0, maxNameLength).join('');
}

/** Database dumps contain static data as a JSON string. */
function staticDataOf(value: JsonValue | undefined, warn: Warn): JsonObject | undefined {
  if (isJsonObject(value)) return value;
  if (typeof value !== 'string') return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    if (isJsonObject(parsed)) return parsed;
  } catch {
    // reported below
  }
  warn('the static data is not a JSON object: dropped');
  return undefined;
}

/** Pinned items are often not wrapped in `{ json }`. */
function pinDataOf(value: JsonValue | undefined, nodes: readonly TidyNode[], warn: Warn): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const names = new Set(nodes.map(({ name }) => name));
  const entries = Object.entries(value).flatMap(([name, items]): [string, JsonValue][] => {
    if (!names.has(name)) warn(`the pinned data of ${quoted(name)}, which is not a node: dropped`);
    return names.has(name) && Array.isArray(items) ? [[name, items.filter(isJsonObject).map(toItem)]] : [];
  });
  return userKeyed(entries);
}

function toItem(value: JsonObject): JsonObject {
  return isJsonObject(value['json']) ? value : { json: value };
}

function tagNamesOf(tags: JsonValue | undefined): string[] | undefined {
  if (!Array.isArray(tags)) return undefined;
  const names = tags.map((tag) => (isJsonObject(tag) ? tag['name'] : tag));
  const trimmed = names.flatMap((name) => (typeof name === 'string' ? [name.trim()] : []));
  return [...new Set(trimmed.filter((name) => name !== ''))];
}

/** A document with more errors is not a workflow. */
const maxDropped = 200;

/** Drops properties that the API would reject, one by one. Throws if that is not enough. */
function pruned(body: JsonObject, warn: Warn): CreateWorkflowBody {
  const reported = new Map<string, ValidationIssue>();
  for (let dropped = 0; dropped < maxDropped; dropped += 1) {
    const [issue] = issuesOf(body);
    if (!issue) return body as unknown as CreateWorkflowBody;
    // A required value that was dropped as invalid is the actual error.
    if (!drop(body, issue, warn)) throw invalidWorkflow([reported.get(issue.path) ?? issue]);
    reported.set(issue.path, issue);
  }
  throw new Error(`it has more than ${maxDropped} invalid properties`);
}

function issuesOf(body: JsonObject): readonly ValidationIssue[] {
  try {
    validate(body);
    return [];
  } catch (error) {
    if (!isAppError(error)) throw error;
    return error.details as unknown as ValidationIssue[];
  }
}

/** Removes the value that an issue is about. Returns false if a value is missing instead. */
function drop(body: JsonObject, { path, message }: ValidationIssue, warn: Warn): boolean {
  const keys = path
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop();
  let holder: JsonValue | undefined = body;
  for (const key of keys) holder = (holder as JsonObject | undefined)?.[key];
  if (last === undefined || !isJsonObject(holder) || !Object.hasOwn(holder, last)) return false;
  delete holder[last];
  const node = keys[0] === 'nodes' ? (body['nodes'] as TidyNode[])[Number(keys[1])]?.name : undefined;
  warn(`${node === undefined ? path : `${[...keys.slice(2), last].join('.')} of ${quoted(node)}`} ${message}: dropped`);
  return true;
}

function invalidWorkflow(issues: readonly ValidationIssue[]): Error {
  return new Error(issues.map(({ path, message }) => `${path} ${message}`).join('; '));
}
