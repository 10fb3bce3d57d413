import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

/** Pages with tables that name tests, and the folder to which the file names are relative. */
const pages = [
  { page: 'docs/contract.md', folder: 'apps/api/tests' },
  { page: 'docs/guarantees.md', folder: '.' },
];

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

describe.each(pages)('$page', ({ page, folder }) => {
  const text = read(page);
  const rows = [...text.matchAll(/^\| (?!Row |Guarantee |---)(.+) \| ([\w./-]+\.test\.ts) \| (.+) \|$/gm)].map(
    ([, row, file, name]) => ({ row, file: file as string, name: name as string }),
  );

  test('has only valid table rows', () => {
    const lines = text.split('\n').filter((line) => line.startsWith('|') && !/^\|( Row | Guarantee |---)/.test(line));
    expect(rows.length).toBeGreaterThan(40);
    expect(lines).toHaveLength(rows.length);
  });

  test.each(rows)('$row: “$name” is a test of $file', ({ file, name }) => {
    // The formatter may put a test name on its own line.
    expect(read(`${folder}/${file}`).replace(/\(\s+'/g, "('")).toContain(`('${name}',`);
  });
});
