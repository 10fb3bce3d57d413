import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

const page = readFileSync(new URL('../docs/contract.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| (?!Row |---)(.+) \| ([\w./-]+\.test\.ts) \| (.+) \|$/gm)].map(([, row, file, name]) => ({
  row,
  file: file as string,
  name: name as string,
}));

describe('docs/contract.md', () => {
  test('has rows, and no other table line', () => {
    const lines = page.split('\n').filter((line) => line.startsWith('|') && !/^\|( Row |---)/.test(line));
    expect(rows.length).toBeGreaterThan(40);
    expect(lines).toHaveLength(rows.length);
  });

  test.each(rows)('$row: “$name” is a test of $file', ({ file, name }) => {
    const text = readFileSync(new URL(`../apps/api/tests/${file}`, import.meta.url), 'utf8');
    // The formatter may put a name on a line of its own.
    expect(text.replace(/\(\s+'/g, "('")).toContain(`('${name}',`);
  });
});
