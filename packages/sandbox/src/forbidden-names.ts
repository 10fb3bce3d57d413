const names =
  'constructor|prototype|__proto__|__defineGetter__|__defineSetter__|__lookupGetter__|__lookupSetter__|getPrototypeOf|setPrototypeOf';
const asMember = new RegExp(String.raw`\.\s*(${names})(?![\w$])`);
const asKey = new RegExp(String.raw`\[\s*(['"\`])(${names})\1\s*\]`);

/**
 * The name of a language internal that the source of an expression reaches for, if any. Such expressions are refused, as authors
 * know it from elsewhere. This guards nothing: what keeps user text away from the host is that it runs in WebAssembly.
 */
export function forbiddenName(source: string): string | undefined {
  return asMember.exec(source)?.[1] ?? asKey.exec(source)?.[2];
}

export function refusal(name: string): string {
  return `access to "${name}" is not allowed in expressions`;
}
