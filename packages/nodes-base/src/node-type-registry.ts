import { aliasOf, identifiersOf, type NodeType } from '@sluice/node-sdk';

/** Finds node types by what workflows call them. */
export interface NodeTypeRegistry {
  /** `undefined`: no such type. An alias says nothing of the version: that stays the node's own `typeVersion`. */
  find(type: string): NodeType | undefined;
}

/**
 * Names of the de-facto format that differ from ours by more than their case: nodes that were renamed, and words that it writes with
 * capitals of their own. A name leads nowhere as long as its type is not there, and gives way to a type that has it.
 */
const formerNames: ReadonlyMap<string, string> = new Map([
  ['start', 'manual-trigger'],
  ['readPDF', 'read-pdf'],
  ['emailSend', 'send-email'],
]);

/**
 * Indexes node types under `base.<name>` and under their alias in the de-facto format, `n8n-nodes-base.<name in camel case>`. Throws when two have
 * one name.
 *
 * @param others identifier → type of packages that are not ours; none begins with `base.` or `n8n-nodes-base.`.
 */
export function createNodeTypeRegistry(
  types: readonly NodeType[],
  others: ReadonlyMap<string, NodeType> = new Map(),
): NodeTypeRegistry {
  const byIdentifier = new Map<string, NodeType>();
  for (const type of types) {
    const { name } = type.description;
    const [identifier, alias] = identifiersOf(name);
    if (byIdentifier.has(identifier)) throw new TypeError(`two node types are named ${name}`);
    byIdentifier.set(identifier, type).set(alias, type);
  }
  for (const [former, name] of formerNames) {
    const type = byIdentifier.get(identifiersOf(name)[0]);
    if (type && !byIdentifier.has(aliasOf(former))) byIdentifier.set(aliasOf(former), type);
  }
  return { find: (type) => byIdentifier.get(type) ?? others.get(type) };
}
