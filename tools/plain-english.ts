/**
 * Finds comments and prose that do not read as plain English (CONTRIBUTING.md, "How we write"):
 * sentences that open with a relative pronoun or with "Of", and words that the documentation of
 * this field does not use.
 *
 *     node tools/plain-english.ts [path ...]
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

export interface Finding {
  file: string;
  line: number;
  text: string;
}

/** First words of a comment. Openings within a paragraph are left to reviewers. */
const opening = /^\s*(?:\/\/|\/\*\*?|\*)\s+(?:What|Whatever|Who|Whoever|Whose|Of|That which|Those|Nobody)\b/;
const words =
  /\b(?:mend(?:s|ed|ing)?|anew|whoever|nobody|begun|for ever|let pass|held against|tells|told|at hand|in vain|beside|(?:go|goes|going|went) on|(?:is|are) answered)\b/i;
const comment = /^\s*(?:\/\/|\/\*|\*)|\s\/\/ /;
const testName = /^\s*(?:test|describe)\b.*\(\s*'/;

/** Findings in the text of one file: comments and test names of TypeScript, Markdown outside code. */
export function findings(file: string, content: string): Finding[] {
  const isProse = file.endsWith('.md');
  let inCode = false;
  return content.split('\n').flatMap((text, index) => {
    if (isProse && text.startsWith('```')) inCode = !inCode;
    const reads = isProse ? !inCode : comment.test(text) || testName.test(text);
    const isFinding = reads && (words.test(text.replace(/`[^`]*`/g, '')) || (!isProse && opening.test(text)));
    return isFinding ? [{ file, line: index + 1, text: text.trim() }] : [];
  });
}

/** The repository's prose and sources, without specifications and generated pages. */
export function readableFiles(paths: readonly string[] = []): string[] {
  const listed = execFileSync('git', ['ls-files', '--', ...paths], { encoding: 'utf8' }).split('\n');
  return listed.filter(
    (file) => /\.(tsx?|md)$/.test(file) && !/^docs\/spec\/public-api|\/generated\/|plain-english/.test(file),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = readableFiles(process.argv.slice(2)).flatMap((file) => findings(file, readFileSync(file, 'utf8')));
  for (const { file, line, text } of found) console.log(`${file}:${line}: ${text}`);
  console.log(`${found.length} to rewrite`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
