import { UserError } from './errors.ts';

/** Converts text to a valid XML element name. */
export function sanitizeXmlName(name: string): string {
  const allowed = name.replace(/[^\p{L}\p{N}_.-]/gu, '_');
  if (allowed === '') return '_';
  return /^(?:[^\p{L}_]|xml)/iu.test(allowed) ? `_${allowed}` : allowed;
}

/** Converts text to a file name without folders. */
export function sanitizeFilename(name: string, maxLength = 200): string {
  const base = name.split(/[\\/]/).at(-1) ?? '';
  const cleaned = base
    .replace(/[\p{Cc}<>:"|?*]/gu, '_')
    .replace(/^\.+|(?<![. ])[. ]+$/g, '')
    .slice(0, maxLength);
  return cleaned === '' ? 'untitled' : cleaned;
}

/** Converts a value to a single path segment: slashes do not split it, and dots do not traverse. */
export function toPathSegment(value: unknown): string {
  const text = encodeURIComponent(String(value));
  if (/^\.{1,2}$/.test(text)) throw new UserError(`"${text}" cannot be a URL path segment`);
  return text;
}

/** A tool name for a model. */
export function nodeNameToToolName(node: string | { name: string }): string {
  return (typeof node === 'string' ? node : node.name).replace(/[^\w-]+/g, '_').slice(0, 64);
}

const unsafeNames: ReadonlySet<string> = new Set([
  '__proto__',
  'prototype',
  'constructor',
  'getPrototypeOf',
  'mainModule',
  'binding',
  '_load',
]);

export function isSafeObjectProperty(name: string): boolean {
  return !unsafeNames.has(name);
}

/** Sets a member unless its name would reach the prototype. */
export function setSafeObjectProperty(target: Record<string, unknown>, name: string, value: unknown): void {
  if (isSafeObjectProperty(name)) target[name] = value;
}
