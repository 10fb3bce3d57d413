import { parseUrl } from './url.ts';

/**
 * Letters and digits of any script. Ranges, because the engine is slow to build Unicode property
 * classes.
 */
const char = '[a-z0-9\\u00a1-\\uffff]';
const label = `${char}(?:[a-z0-9\\u00a1-\\uffff-]{0,61}${char})?`;
const domain = `(?:${label}\\.)+[a-z\\u00a1-\\uffff][a-z0-9\\u00a1-\\uffff-]{0,61}${char}`;
const address = `[a-z0-9\\u00a1-\\uffff.!#$%&'*+/=?^_{|}~-]{1,64}@${domain}`;
const wholeDomain = new RegExp(`^${domain}$`, 'i');
const wholeAddress = new RegExp(`^${address}$`, 'i');
const anyAddress = new RegExp(address, 'i');
const anyUrl = /(?:https?|ftp):\/\/[^\s<>"'`]+/i;
const withScheme = /^[a-z][a-z\d+.-]*:\/\//i;

export function isDomain(text: string): boolean {
  return wholeDomain.test(text);
}

export function isEmail(text: string): boolean {
  return wholeAddress.test(text);
}

/** Full URLs only, with a scheme. */
export function isUrl(text: string): boolean {
  return withScheme.test(text) && !/\s/.test(text) && parseUrl(text) !== null;
}

export function extractEmail(text: string): string | undefined {
  return anyAddress.exec(text)?.[0];
}

/** The first URL in the text, without the sentence's trailing punctuation. */
export function extractUrl(text: string): string | undefined {
  return anyUrl.exec(text)?.[0].replace(/[.,;:!?)\]}]+$/, '');
}

/** The domain of an e-mail address, a URL, or a bare domain. */
export function extractDomain(text: string): string | undefined {
  const trimmed = text.trim();
  if (isEmail(trimmed)) return trimmed.substring(trimmed.lastIndexOf('@') + 1);
  const url = extractUrl(trimmed);
  if (url !== undefined) return parseUrl(url)?.hostname;
  const bare = trimmed.split(/[/?#:]/)[0] ?? '';
  return isDomain(bare) ? bare : undefined;
}

/** The part after the host: path, query, and fragment. */
export function extractUrlPath(text: string): string | undefined {
  const url = isUrl(text.trim()) ? parseUrl(text.trim()) : null;
  return url?.pathname;
}

export function removeTags(text: string): string {
  return text.replace(/<\/?[a-z!?][^>]*>/gi, '');
}

const markdown: [pattern: RegExp, replacement: string][] = [
  [/^ {0,3}(?:[-*_] *){3,}$/gm, ''],
  [/^ {0,3}(?:```|~~~).*$/gm, ''],
  [/^ {0,3}#{1,6}\s+(.*?)(?:\s+#+)?\s*$/gm, '$1'],
  [/^(.+)\n(?:=+|-+)\s*$/gm, '$1'],
  [/^ {0,3}>\s?/gm, ''],
  [/^(\s*)(?:[-*+]|\d+[.)])\s+/gm, '$1'],
  [/!\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1'],
  [/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1'],
  [/(\*\*|__)(?=\S)(.*?\S)\1/g, '$2'],
  [/(?<![a-z0-9\u00a1-\uffff\\])([*_])(?=\S)([^*_]*?\S)\1(?![a-z0-9\u00a1-\uffff])/gi, '$2'],
  [/~~(?=\S)(.*?\S)~~/g, '$1'],
  [/(`+)([^`]+)\1/g, '$2'],
  [/\\([\\`*_{}[\]()#+.!~>-])/g, '$1'],
];

/** The text without Markdown syntax and tags. */
export function removeMarkdown(text: string): string {
  return markdown.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), removeTags(text)).trim();
}
