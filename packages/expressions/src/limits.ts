/** Maximum length of the source of one `{{ }}`, in characters. */
export const maxSourceLength = 64 * 1024;
/** Maximum number of braces and template literals open at once within one `{{ }}`. */
export const maxNesting = 256;
/** Maximum total length of the sources of one template, and of one node, in characters. */
export const maxSourcesLength = 1024 * 1024;
/**
 * Maximum number of failed reads per template, each up to `maxSourceLength` characters. After that,
 * sources end at the first `}}`.
 */
export const maxUnreadable = 32;
/**
 * Maximum length of a source that the host parses, in characters. Longer sources are rare and go to
 * the guest.
 */
export const maxHostSourceLength = 2_000;
/** Maximum number of nodes in an expression that the host evaluates. */
export const maxHostNodes = 128;
/** Maximum nesting of lists that the host prints. */
export const maxPrintDepth = 64;
