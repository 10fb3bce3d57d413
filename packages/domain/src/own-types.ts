const ownPrefix = 'base.';
/** Of the same types in the de-facto format, which writes names in camel case. */
const aliasPrefix = 'n8n-nodes-base.';

/** What nodes call a node type of ours: the identifier, and its alias. `name`: in kebab case. */
export function identifiersOf(name: string): [identifier: string, alias: string] {
  return [`${ownPrefix}${name}`, aliasOf(name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()))];
}

/** `name`: as the de-facto format has it. */
export function aliasOf(name: string): string {
  return `${aliasPrefix}${name}`;
}

/** Whether no package of others can have a type of this identifier: every worker has it, or none. */
export function isOwnType(identifier: string): boolean {
  return identifier.startsWith(ownPrefix) || identifier.startsWith(aliasPrefix);
}
