const names = [
  'constructor',
  'prototype',
  '__proto__',
  '__defineGetter__',
  '__defineSetter__',
  '__lookupGetter__',
  '__lookupSetter__',
  'getPrototypeOf',
  'setPrototypeOf',
];

/** Names of language internals that expressions may not read. */
export const forbiddenNames: ReadonlySet<string> = new Set(names);

const asMember = new RegExp(String.raw`\.\s*(${names.join('|')})(?![\w$])`);
const asKey = new RegExp(String.raw`\[\s*(['"\`])(${names.join('|')})\1\s*\]`);

/**
 * The first name of a language internal in an expression, if any. Such expressions are rejected, as
 * authors expect. This is not a security boundary: user text cannot reach the host because it runs
 * in WebAssembly.
 */
export function forbiddenName(source: string): string | undefined {
  return asMember.exec(source)?.[1] ?? asKey.exec(source)?.[2];
}
