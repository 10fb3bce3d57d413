import { type Connection, type Connections, isJsonObject, type JsonValue, userKeyed } from '@sluice/domain';
import type { TidyNode } from './tidy-nodes.ts';
import { quoted, type Warn } from './warnings.ts';

/** Returns the connections between existing nodes. Drops dangling ones, each with a warning. */
export function tidyConnections(value: JsonValue | undefined, nodes: readonly TidyNode[], warn: Warn): Connections {
  const names = namesByReference(nodes);
  const sources = Object.entries(isJsonObject(value) ? value : {}).flatMap(([reference, byType]) => {
    const source = names.get(reference);
    if (source === undefined) warn(`the connections of ${quoted(reference)}, which is not a node: dropped`);
    else if (!isJsonObject(byType)) warn(`the connections of ${quoted(reference)} are not an object: dropped`);
    return source === undefined || !isJsonObject(byType) ? [] : [[source, outputsByType(source, byType, names, warn)] as const];
  });
  return userKeyed(sources);
}

/** Node names by name and by ID, because some editors connect nodes by ID. */
function namesByReference(nodes: readonly TidyNode[]): ReadonlyMap<string, string> {
  const byId = nodes.flatMap(({ id, name }): [string, string][] => (typeof id === 'string' ? [[id, name]] : []));
  return new Map([...byId, ...nodes.map(({ name }): [string, string] => [name, name])]);
}

function outputsByType(
  source: string,
  byType: { [type: string]: JsonValue },
  names: ReadonlyMap<string, string>,
  warn: Warn,
): Record<string, (Connection[] | null)[]> {
  const entries = Object.entries(byType).map(([type, outputs]) => {
    if (outputs === null || typeof outputs !== 'object')
      warn(`the outputs ${quoted(type)} of ${quoted(source)} are not a list: dropped`);
    const lists = outputLists(outputs).map((targets) => targetsOf(targets, source, names, warn));
    return [type, lists] as const;
  });
  return userKeyed(entries);
}

/** One entry per output. Some files contain an object with output numbers as keys. */
function outputLists(outputs: JsonValue): JsonValue[] {
  if (Array.isArray(outputs)) return outputs;
  if (!isJsonObject(outputs)) return [];
  const lists: JsonValue[] = [];
  for (const [key, targets] of Object.entries(outputs)) if (/^\d{1,3}$/.test(key)) lists[Number(key)] = targets;
  return Array.from(lists, (targets) => targets ?? null);
}

function targetsOf(targets: JsonValue, source: string, names: ReadonlyMap<string, string>, warn: Warn): Connection[] | null {
  if (targets === null) return null;
  const list = Array.isArray(targets) ? targets : [targets];
  return list.flatMap((target): Connection[] => {
    if (!isJsonObject(target)) {
      warn(`a connection from ${quoted(source)} is not an object, but ${quoted(JSON.stringify(target))}: dropped`);
      return [];
    }
    const { node, type, index } = target;
    const name = typeof node === 'string' ? names.get(node) : undefined;
    if (name === undefined) {
      warn(`the connection from ${quoted(source)} to ${quoted(String(node))}, which is not a node: dropped`);
      return [];
    }
    return [{ node: name, type: typeof type === 'string' ? type : 'main', index: inputIndex(index) }];
  });
}

function inputIndex(index: JsonValue | undefined): number {
  const number = Number(index ?? 0);
  return Number.isInteger(number) && number >= 0 ? number : 0;
}
