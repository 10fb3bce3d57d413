import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';
import { quoted, type Warn } from './warnings.ts';

/** A node from a file, with the properties that every node has. */
export type TidyNode = JsonObject & { name: string; type: string };

/**
 * Converts nodes to the API's format. Real files contain nodes without a name or with a duplicate
 * name, numbers as strings, and credentials in old formats. Drops invalid nodes.
 */
export function tidyNodes(value: JsonValue | undefined, warn: Warn): TidyNode[] {
  const names = new Set<string>();
  return asArray(value).flatMap((node, index) => {
    if (!isJsonObject(node) || typeof node['type'] !== 'string' || node['type'] === '') {
      warn(`node ${index + 1} has no type: dropped`);
      return [];
    }
    const type = node['type'];
    const name = freeName(nameOf(node, type, warn), names, warn);
    names.add(name);
    return [tidyNode({ ...node, name, type })];
  });
}

function asArray(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function nameOf({ name }: JsonObject, type: string, warn: Warn): string {
  if (typeof name === 'string' && name !== '') return name;
  const generated = type.slice(type.lastIndexOf('.') + 1) || type;
  warn(`a node of type ${quoted(type)} has no name: it is named ${quoted(generated)}`);
  return generated;
}

/** Connections refer to names, so the first node with a name keeps it. */
function freeName(name: string, usedNames: ReadonlySet<string>, warn: Warn): string {
  if (!usedNames.has(name)) return name;
  let count = 1;
  while (usedNames.has(`${name} ${count}`)) count += 1;
  warn(`two nodes are named ${quoted(name)}: the second is renamed to ${quoted(`${name} ${count}`)}`);
  return `${name} ${count}`;
}

function tidyNode(node: TidyNode): TidyNode {
  const { id, typeVersion, position, parameters, credentials, ...rest } = node;
  const version = numberIn(typeVersion);
  return {
    ...rest,
    ...(id !== undefined && id !== null && { id: String(id) }),
    ...(version !== undefined && { typeVersion: version }),
    position: positionOf(position),
    parameters: isJsonObject(parameters) ? parameters : {},
    ...(isJsonObject(credentials) && { credentials: tidyCredentials(credentials) }),
  } as TidyNode;
}

function positionOf(position: JsonValue | undefined): [number, number] {
  const [x, y] = asArray(position).map(numberIn);
  return [x ?? 0, y ?? 0];
}

/** Old files refer to a credential only by its name, or have a number as its ID. */
function tidyCredentials(credentials: JsonObject): JsonObject {
  const entries = Object.entries(credentials).flatMap(([type, credential]): [string, JsonObject][] => {
    if (typeof credential === 'string') return [[type, { id: null, name: credential }]];
    if (!isJsonObject(credential)) return [];
    const { id } = credential;
    return [[type, typeof id === 'number' ? { ...credential, id: String(id) } : credential]];
  });
  return Object.fromEntries(entries);
}

function numberIn(value: JsonValue | undefined): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
