const ownPrefix = 'base.';
/** Prefix of the de-facto format, which writes names in camel case. */
const aliasPrefix = 'n8n-nodes-base.';

/**
 * Names by which nodes refer to a built-in type: the identifier and its alias. `name`: in kebab
 * case.
 */
export function identifiersOf(name: string): [identifier: string, alias: string] {
  return [`${ownPrefix}${name}`, aliasOf(name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()))];
}

/** `name`: as in the de-facto format. */
export function aliasOf(name: string): string {
  return `${aliasPrefix}${name}`;
}

/**
 * Whether the identifier is reserved for built-in types: either every worker has the type, or none.
 */
export function isOwnType(identifier: string): boolean {
  return identifier.startsWith(ownPrefix) || identifier.startsWith(aliasPrefix);
}
