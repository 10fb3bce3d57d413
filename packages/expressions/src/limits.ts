/** Characters of the source of one `{{ }}`. */
export const maxSourceLength = 64 * 1024;
/** Braces and template literals that may be open at once within one `{{ }}`. */
export const maxNesting = 256;
/** Characters of all sources of one template, and of one node. */
export const maxSourcesLength = 1024 * 1024;
/**
 * Failed reads per template, each up to `maxSourceLength` characters. After that, sources end at
 * the first `}}`.
 */
export const maxUnreadable = 32;
/** Characters of a source that the host parses. Longer ones are rare and go to the guest. */
export const maxHostSourceLength = 2_000;
/** Nodes of an expression that the host evaluates. */
export const maxHostNodes = 128;
/** Levels of lists that the host prints. */
export const maxPrintDepth = 64;
