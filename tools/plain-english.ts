/**
 * Finds comments and prose that are not plain English (CONTRIBUTING.md, "How we write"): sentences
 * that open with a relative pronoun or "Of", and words that technical documentation does not use.
 * Also finds comments that do not wrap at 100 columns.
 *
 *     node tools/plain-english.ts [path ...]
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

interface Finding {
  file: string;
  line: number;
  text: string;
}

/** First words of a comment. Does not check sentences within a paragraph. */
const opening = /^\s*(?:\/\/|\/\*\*?|\*)\s+(?:What|Whatever|Who|Whoever|Whose|Of|That which|Those|Nobody)\b/;
const words =
  /\b(?:mend(?:s|ed|ing)?|anew|whoever|nobody|begun|for ever|let pass|held against|tells|told|at hand|in vain|beside|(?:go|goes|going|went) on|(?:is|are) answered)\b/i;
/** Does not check comments after code. */
const wide = /^(?=.{101})(?!.*https:)\s*(?:\/\/(?! biome-ignore)|\/\*|\* )/;
const comment = /^\s*(?:\/\/|\/\*|\*)|\s\/\/ /;
const testName = /^\s*(?:test|describe)\b.*\(\s*'/;

/** Checks the comments and test names of TypeScript, or the prose of Markdown. */
function findings(file: string, content: string): Finding[] {
  const isProse = file.endsWith('.md');
  let inCode = false;
  return content.split('\n').flatMap((text, index) => {
    if (isProse && text.startsWith('```')) inCode = !inCode;
    const isText = isProse ? !inCode : comment.test(text) || testName.test(text);
    const isFinding =
      isText && (words.test(text.replace(/`[^`]*`/g, '')) || (!isProse && (opening.test(text) || wide.test(text))));
    return isFinding ? [{ file, line: index + 1, text: text.trim() }] : [];
  });
}

/** The repository's Markdown and TypeScript files, without specifications and generated files. */
function readableFiles(paths: readonly string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '--', ...paths], { encoding: 'utf8' }).split('\n');
  return listed.filter(
    (file) => /\.(tsx?|md)$/.test(file) && !/^docs\/spec\/public-api|\/generated\/|plain-english/.test(file),
  );
}

const problems = readableFiles(process.argv.slice(2)).flatMap((file) => findings(file, readFileSync(file, 'utf8')));
for (const { file, line, text } of problems) console.log(`${file}:${line}: ${text}`);
console.log(`${problems.length} to rewrite`);
process.exitCode = problems.length > 0 ? 1 : 0;
