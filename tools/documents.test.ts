import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { rootNames } from '../apps/dashboard/src/pages/workflows/form/expression-names.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const documents = ['*.md', 'docs/**/*.md', 'packages/*/README.md', 'apps/*/README.md'].flatMap((pattern) =>
  globSync(pattern, { cwd: root }),
);
/** Links in changesets are relative to the changelog, because a release moves the text there. */
const changesets = globSync('.changeset/*.md', { cwd: root }).filter((document) => document !== '.changeset/README.md');
const workspaces = ['packages/*/package.json', 'apps/*/package.json'].flatMap((pattern) => globSync(pattern, { cwd: root }));

/** Targets of links to files in the repository. */
function localLinks(text: string): string[] {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
  return targets.filter((target) => !/^(https?:|mailto:)/.test(target));
}

/** Fragments that GitHub generates for the headings of a document. */
function fragmentsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map((match) => match[1] ?? '');
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Whether the file of a link exists and, if the link has a fragment, contains its heading. */
function hasTarget(document: string, link: string): boolean {
  const [path = '', fragment] = link.split('#');
  const target = path === '' ? join(root, document) : join(dirname(join(root, document)), path);
  if (!existsSync(target)) return false;
  return fragment === undefined || fragmentsOf(readFileSync(target, 'utf8')).includes(fragment);
}

/** Repository paths in code spans, such as `apps/api/src`, without patterns and placeholders. */
function namedPaths(text: string): string[] {
  const paths = [...text.matchAll(/`((?:apps|packages|tools|tests|docs|infra|bench)\/[\w./-]+)`/g)];
  return paths.map((match) => match[1] ?? '');
}

describe('the documents', () => {
  test.each(documents)('all links of %s have existing targets', (document) => {
    const links = localLinks(readFileSync(join(root, document), 'utf8'));
    expect(links.filter((link) => !hasTarget(document, link))).toEqual([]);
  });

  test('all links of changesets have existing targets', () => {
    const links = changesets.flatMap((document) => localLinks(readFileSync(join(root, document), 'utf8')));
    expect(links.filter((link) => !hasTarget('CHANGELOG.md', link))).toEqual([]);
  });

  test.each(documents.filter((document) => document !== 'CHANGELOG.md'))('all files named in %s exist', (document) => {
    const from = [root, dirname(join(root, document))];
    const paths = namedPaths(readFileSync(join(root, document), 'utf8'));
    const missing = paths.filter((path) => !from.some((folder) => existsSync(join(folder, path))));
    expect(missing).toEqual([]);
  });

  test('each workspace has a README', () => {
    const missing = workspaces.filter((file) => !existsSync(join(root, dirname(file), 'README.md')));
    expect(missing).toEqual([]);
  });
});

test('names that the dashboard completes in expressions are documented', () => {
  const documentation = readFileSync(join(root, 'docs/expressions.md'), 'utf8');
  expect(rootNames.length).toBeGreaterThan(0);
  expect(rootNames.filter(({ name }) => !documentation.includes(`\`${name}`))).toEqual([]);
});
