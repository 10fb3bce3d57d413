import { globSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** The errors that a folder's code throws for authors: their number, and those without a hint. */
export function thrownErrors(folder: URL): { count: number; withoutHint: { file: string; call: string }[] } {
  const root = folder.pathname;
  const files = globSync(`${root}**/*.ts`).filter((file) => !/\.test\.ts$|\/testing\//.test(file));
  const thrown = files.flatMap((file) =>
    callsIn(readFileSync(file, 'utf8'), /new Node(?:Operation|Api)Error\(/g).map((call) => ({
      file: relative(root, file),
      call,
    })),
  );
  return { count: thrown.length, withoutHint: thrown.filter(({ call }) => !/\bdescription\b|\b\w*[hH]int\b/.test(call)) };
}

/** Source of each call of a function whose name matches the pattern, up to the closing bracket. */
function callsIn(source: string, name: RegExp): string[] {
  return [...source.matchAll(name)].map(({ index, 0: start }) => source.slice(index, endOfCall(source, index + start.length)));
}

/** Index after the bracket that closes the bracket at `start`; skips strings. */
function endOfCall(source: string, start: number): number {
  let depth = 1;
  let quote = '';
  let index = start;
  for (; depth > 0 && index < source.length; index++) {
    const character = source.charAt(index);
    if (character === '\\') index++;
    else if (quote !== '') quote = character === quote ? '' : quote;
    else if (/['"`]/.test(character)) quote = character;
    else if (/[([{]/.test(character)) depth++;
    else if (/[)\]}]/.test(character)) depth--;
  }
  return index;
}
