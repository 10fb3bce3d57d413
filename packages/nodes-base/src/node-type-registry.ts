import { aliasOf, identifiersOf, type NodeType } from '@sluice/node-sdk';

/** Finds node types by the name that workflows use. */
export interface NodeTypeRegistry {
  /**
   * `undefined` if no such type exists. An alias does not set a version: the node's own
   * `typeVersion` applies.
   */
  find(type: string): NodeType | undefined;
}

/**
 * Names in the de-facto format that differ from ours by more than case: renamed nodes, and words
 * with different capitals. A name only applies if its target exists and no type has that name
 * itself.
 */
const formerNames: ReadonlyMap<string, string> = new Map([
  ['start', 'manual-trigger'],
  ['readPDF', 'read-pdf'],
  ['emailSend', 'send-email'],
]);

/**
 * Indexes node types under `base.<name>` and under their alias in the de-facto format,
 * `n8n-nodes-base.<camelCase name>`. Throws if two have the same name.
 *
 * @param others identifier → type of other packages; no identifier starts with `base.` or
 * `n8n-nodes-base.`.
 * @param lazy names with a function that loads a built-in type, called at each use.
 * @param replacements own name, in either format → type that takes the place of the built-in one.
 */
export function createNodeTypeRegistry(
  types: readonly NodeType[],
  others: ReadonlyMap<string, NodeType> = new Map(),
  lazy: Iterable<readonly [string, () => NodeType]> = [],
  replacements: ReadonlyMap<string, NodeType> = new Map(),
): NodeTypeRegistry {
  const lists = [types.map((type) => [type.description.name, () => type] as const), [...lazy]];
  const builtIn = new Map<string, () => NodeType>();
  const replaced = new Map<string, () => NodeType>();
  for (const [name, load] of lists.flat()) {
    const [identifier, alias] = identifiersOf(name);
    if (builtIn.has(identifier)) throw new TypeError(`two node types have the name ${name}`);
    builtIn.set(identifier, load).set(alias, load);
    const replacement = replacements.get(name) ?? replacements.get(alias.slice(aliasOf('').length));
    if (replacement) replaced.set(identifier, () => replacement).set(alias, () => replacement);
  }
  addFormerNames(builtIn);
  addFormerNames(replaced);
  return { find: (type) => (replaced.get(type) ?? builtIn.get(type))?.() ?? others.get(type) };
}

function addFormerNames(byIdentifier: Map<string, () => NodeType>): void {
  for (const [former, name] of formerNames) {
    const load = byIdentifier.get(identifiersOf(name)[0]);
    if (load && !byIdentifier.has(aliasOf(former))) byIdentifier.set(aliasOf(former), load);
  }
}
