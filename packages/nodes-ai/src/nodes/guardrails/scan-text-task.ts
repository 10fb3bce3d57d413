// cspell:ignore pousr glpat abprs akia
import type { ThreadTask } from '@sluice/nodes-base/node-tools';
import { piiPatterns } from './pii-patterns.ts';

/** A search in text. */
export interface TextScan {
  text: string;
  keywords: readonly string[];
  /** Kinds of personal data. */
  entities: readonly string[];
  secrets?: 'strict' | 'balanced' | 'permissive';
  urls?: UrlRules;
  /** The author's regular expressions, as `/pattern/flags` or as a pattern. */
  patterns: readonly { name: string; value: string }[];
}

interface UrlRules {
  /** Hosts or URLs; paths below an allowed URL are allowed, too. */
  allowed: readonly string[];
  schemes: readonly string[];
  blocksUserInfo: boolean;
  allowsSubdomains: boolean;
}

/** A part of text: `guardrail` found it, and `label` replaces it. */
export interface Finding {
  guardrail: 'keywords' | 'pii' | 'secretKeys' | 'urls' | 'customRegex';
  label: string;
  value: string;
  start: number;
  end: number;
}

/** Maximum number of findings in a text. The search stops after one more. */
export const maxFindings = 1_000;

/** Finds parts of text, on a worker thread: the author's patterns may never terminate. */
export const task: ThreadTask<TextScan> = async function* (scan) {
  yield scanText(scan);
};

/** In text order; parts never overlap. */
export function scanText(scan: TextScan): Finding[] {
  const findings: Finding[] = [];
  const add = (finding: Finding) => {
    const isTaken = findings.some(({ start, end }) => finding.start < end && start < finding.end);
    if (!isTaken && findings.length <= maxFindings) findings.push(finding);
  };
  for (const finding of [
    ...customFindings(scan),
    ...secretFindings(scan),
    ...urlFindings(scan),
    ...piiFindings(scan),
    ...keywordFindings(scan),
  ])
    add(finding);
  return findings.toSorted((a, b) => a.start - b.start);
}

/** Only `wanted` matches count toward the limit: harmless matches must not hide later findings. */
function matches(text: string, pattern: RegExp, { guardrail, label, wanted = (value) => value }: Kind): Finding[] {
  const findings: Finding[] = [];
  for (const { 0: match, index: start } of text.matchAll(pattern)) {
    const value = match === '' ? undefined : wanted(match);
    if (value !== undefined) findings.push({ guardrail, label, value, start, end: start + value.length });
    if (findings.length > maxFindings) break;
  }
  return findings;
}

interface Kind extends Pick<Finding, 'guardrail' | 'label'> {
  /**
   * The start of the match that is the finding; `undefined` if the match is harmless. Default: the
   * whole match.
   */
  wanted?(match: string): string | undefined;
}

const ifTrue = (isWanted: (match: string) => boolean) => (match: string) => (isWanted(match) ? match : undefined);

function piiFindings({ text, entities }: TextScan): Finding[] {
  const wanted = Object.entries(piiPatterns).filter(([name]) => entities.includes(name));
  return wanted.flatMap(([name, { pattern, isValid = () => true }]) =>
    matches(text, pattern, { guardrail: 'pii', label: name, wanted: ifTrue(isValid) }),
  );
}

/** Whole words, case-insensitive. */
function keywordFindings({ text, keywords }: TextScan): Finding[] {
  return keywords.flatMap((keyword) => {
    const escaped = keyword.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, 'giu');
    return matches(text, pattern, { guardrail: 'keywords', label: 'KEYWORD' });
  });
}

function customFindings({ text, patterns }: TextScan): Finding[] {
  return patterns.flatMap(({ name, value }) =>
    matches(text, regexOf(value), { guardrail: 'customRegex', label: name || 'CUSTOM' }),
  );
}

/** Throws for an invalid pattern. */
export function regexOf(value: string): RegExp {
  const [, source = value, flags = ''] = /^\/(.+)\/([a-z]*)$/s.exec(value) ?? [];
  return new RegExp(source, [...new Set(`${flags}g`)].join(''));
}

/** API keys that can be recognized by their prefix. */
const knownKeys =
  /\b(?:sk-[\w-]{16,}|pk_(?:live|test)_\w{10,}|sk_(?:live|test)_\w{10,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{30,}|SG\.[\w-]{16,}\.[\w-]{16,}|hf_\w{20,}|npm_\w{30,}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,})/g;
const privateKeys = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/g;
const words = /[\w+/=.-]{10,500}/g;

/**
 * Minimum values for a random string: characters, bits of entropy per character, and kinds of
 * characters.
 */
const thresholds = {
  strict: { length: 10, entropy: 3, kinds: 2 },
  balanced: { length: 16, entropy: 3.5, kinds: 3 },
  permissive: { length: 30, entropy: 4, kinds: 3 },
} as const;

function secretFindings({ text, secrets }: TextScan): Finding[] {
  if (!secrets) return [];
  const kind = { guardrail: 'secretKeys', label: 'SECRET' } as const;
  const keyFindings = [knownKeys, privateKeys].flatMap((pattern) => matches(text, pattern, kind));
  const { length, entropy, kinds } = thresholds[secrets];
  const isRandom = (value: string) =>
    value.length >= length && kindsIn(value) >= kinds && entropyOf(value) >= entropy && !/^(?:https?|www)\b/.test(value);
  return [...keyFindings, ...matches(text, words, { ...kind, wanted: ifTrue(isRandom) })];
}

function kindsIn(text: string): number {
  return [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(text)).length;
}

/** Shannon entropy of the characters, in bits. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}

const addresses =
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>"'`]{1,2000}|\bwww\.[^\s<>"'`]{1,2000}|\b(?:data|javascript|vbscript):[^\s<>"'`]{1,2000}/gi;

function urlFindings({ text, urls }: TextScan): Finding[] {
  if (!urls) return [];
  const wanted = (match: string) => {
    const value = match.replace(/(?<![.,;:!?)\]}])[.,;:!?)\]}]+$/, '');
    return isAllowed(value, urls) ? undefined : value;
  };
  return matches(text, addresses, { guardrail: 'urls', label: 'URL', wanted });
}

function isAllowed(address: string, { allowed, schemes, blocksUserInfo, allowsSubdomains }: UrlRules): boolean {
  const url = parsed(/^www\./i.test(address) ? `https://${address}` : address);
  if (!url || !schemes.includes(url.protocol.slice(0, -1))) return false;
  if (blocksUserInfo && (url.username !== '' || url.password !== '')) return false;
  return allowed.some((entry) => {
    const rule = parsed(/^[a-z][a-z0-9+.-]*:\/\//i.test(entry) ? entry : `${url.protocol}//${entry}`);
    if (!rule || rule.protocol !== url.protocol || rule.port !== url.port) return false;
    const isHost = url.hostname === rule.hostname || (allowsSubdomains && url.hostname.endsWith(`.${rule.hostname}`));
    const below = rule.pathname.endsWith('/') ? rule.pathname : `${rule.pathname}/`;
    return isHost && (url.pathname === rule.pathname || url.pathname.startsWith(below));
  });
}

function parsed(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}

/** The text with its findings replaced by their labels. */
export function redacted(text: string, findings: readonly Finding[]): string {
  let [result, at] = ['', 0];
  for (const { start, end, label } of findings) {
    result += `${text.slice(at, start)}<${label}>`;
    at = end;
  }
  return result + text.slice(at);
}
