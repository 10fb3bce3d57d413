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
/** A name with a top-level domain, `localhost`, or an IPv4 address. */
const host = String.raw`(?:(?:[a-z\d_-]+\.)+[a-z]{2,}|(?:[a-z\d_-]+\.)*localhost|\d{1,3}(?:\.\d{1,3}){3})`;
const hostWithPath = new RegExp(String.raw`^${host}(?::\d+)?(?:[/?#]\S*)?$`, 'i');
const webUrl = new RegExp(String.raw`^(?:https?|ftp)://${host}\.?(?::\d+)?(?:[/?#\\]\S*)?$`, 'i');
const wholeAddress = new RegExp(`^${address}$`, 'i');
const anyAddress = new RegExp(address, 'i');
const anyUrl = /(?:https?|ftp):\/\/[^\s<>"'`]+/i;

/** A host without a scheme; a port and a path may follow. */
export function isDomain(text: string): boolean {
  return hostWithPath.test(text);
}

export function isEmail(text: string): boolean {
  return wholeAddress.test(text);
}

/** An absolute http, https, or ftp URL with a host that `isDomain` accepts. */
export function isUrl(text: string): boolean {
  return webUrl.test(text);
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
  return wholeDomain.test(bare) ? bare : undefined;
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
  [/^ {0,3}(?:```|~~~).*\n?/gm, ''],
  [/^ {0,3}#{1,6} *(.*?)(?: +#+)? *$/gm, '$1'],
  [/^\[[^\]\n]+\]:.*$/gm, ''],
  [/\[\^[^\]\n]+\]/g, ''],
  [/^(.+)\n(?:=+|-+)\s*$/gm, '$1'],
  [/^ {0,3}>\s?/gm, ''],
  [/^(\s*)(?:[-*+]|\d+[.)])\s+/gm, '$1'],
  [/!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])/g, ''],
  [/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1'],
  [/(\*\*|__)(?=\S)(.*?\S)\1/g, '$2'],
  [/(?<![a-z0-9\u00a1-\uffff\\])([*_])(?=\S)([^*_]*?\S)\1(?![a-z0-9\u00a1-\uffff])/gi, '$2'],
  [/~~(?=\S)(.*?\S)~~/g, '$1'],
  [/(`+)([^`]+)\1/g, '$2'],
  [/\\([\\`*_{}[\]()#+.!~>-])/g, '$1'],
  [/\n{3,}/g, '\n\n'],
];

/** The text without Markdown syntax, images, notes, and tags. */
export function removeMarkdown(text: string): string {
  return markdown.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), removeTags(text));
}
