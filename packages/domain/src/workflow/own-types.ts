const ownPrefix = 'base.';
/** Prefix of the de-facto format, which writes names in camel case. */
const aliasPrefix = 'n8n-nodes-base.';
/** In the de-facto format, AI types are in a separate package. */
const aiPrefix = 'ai.';
const aiAliasPrefix = '@n8n/n8n-nodes-langchain.';

/**
 * Names by which nodes refer to a built-in type: the identifier and its alias. `name`: in kebab
 * case.
 */
export function identifiersOf(name: string): [identifier: string, alias: string] {
  return [`${ownPrefix}${name}`, aliasOf(name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()))];
}

/** Like `identifiersOf`, for AI types. `name`: in kebab case. */
export function aiIdentifiersOf(name: string): [identifier: string, alias: string] {
  return [`${aiPrefix}${name}`, `${aiAliasPrefix}${name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}`];
}

/** `name`: as in the de-facto format. */
export function aliasOf(name: string): string {
  return `${aliasPrefix}${name}`;
}

/**
 * Whether the identifier is reserved for built-in types: either all workers have the type, or no
 * worker has it.
 */
export function isOwnType(identifier: string): boolean {
  return [ownPrefix, aliasPrefix, aiPrefix, aiAliasPrefix].some((prefix) => identifier.startsWith(prefix));
}
