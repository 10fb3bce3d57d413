/** Evaluates source as a global script; captured before any user text ran. */
// biome-ignore lint/security/noGlobalEval: this is QuickJS, and the place that user text is meant for
export const evaluateScript = globalThis.eval as (source: string) => unknown;
