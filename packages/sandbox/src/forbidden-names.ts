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
 * The name of a language internal that the source of an expression reads, if any. Such expressions are refused, as authors know it
 * from elsewhere. This is not a guard: user text cannot reach the host because it runs in WebAssembly.
 */
export function forbiddenName(source: string): string | undefined {
  return asMember.exec(source)?.[1] ?? asKey.exec(source)?.[2];
}

export function refusal(name: string): string {
  return `access to "${name}" is not allowed in expressions`;
}
