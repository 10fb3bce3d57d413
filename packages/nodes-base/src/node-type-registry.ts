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
 * with different capitals. A name only applies if its target exists and no type has the name
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
 * @param lazy name → function that loads a built-in type, called at each use.
 * @param replacements own name, in either format → type that takes the place of the built-in one.
 */
export function createNodeTypeRegistry(
  types: readonly NodeType[],
  others: ReadonlyMap<string, NodeType> = new Map(),
  lazy: ReadonlyMap<string, () => NodeType> = new Map(),
  replacements: ReadonlyMap<string, NodeType> = new Map(),
): NodeTypeRegistry {
  const byIdentifier = new Map<string, NodeType>();
  for (const type of types) {
    const { name } = type.description;
    const [identifier, alias] = identifiersOf(name);
    if (byIdentifier.has(identifier)) throw new TypeError(`two node types have the name ${name}`);
    byIdentifier.set(identifier, type).set(alias, type);
  }
  for (const [former, name] of formerNames) {
    const type = byIdentifier.get(identifiersOf(name)[0]);
    if (type && !byIdentifier.has(aliasOf(former))) byIdentifier.set(aliasOf(former), type);
  }
  const loaders = new Map([...lazy].flatMap(([name, load]) => identifiersOf(name).map((identifier) => [identifier, load])));
  const taken = [...loaders.keys()].find((identifier) => byIdentifier.has(identifier));
  if (taken !== undefined) throw new TypeError(`two node types have the name ${taken}`);
  const replaced = new Map<string, NodeType>();
  for (const name of [...types.map(({ description }) => description.name), ...lazy.keys()]) {
    const [identifier, alias] = identifiersOf(name);
    const type = replacements.get(name) ?? replacements.get(alias.slice(aliasOf('').length));
    if (type) replaced.set(identifier, type).set(alias, type);
  }
  for (const [former, name] of formerNames) {
    const type = replaced.get(identifiersOf(name)[0]);
    if (type) replaced.set(aliasOf(former), type);
  }
  return { find: (type) => replaced.get(type) ?? byIdentifier.get(type) ?? loaders.get(type)?.() ?? others.get(type) };
}
