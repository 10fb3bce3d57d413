import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('..', import.meta.url));
const documents = ['*.md', 'docs/**/*.md', 'packages/*/README.md', 'apps/*/README.md'].flatMap((pattern) =>
  globSync(pattern, { cwd: root }),
);
const workspaces = ['packages/*/package.json', 'apps/*/package.json'].flatMap((pattern) => globSync(pattern, { cwd: root }));

/** Targets of links within the repository, without their fragments. */
function localLinks(text: string): string[] {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
  return targets.filter((target) => !/^(https?:|mailto:|#)/.test(target)).map((target) => target.split('#')[0] ?? '');
}

/**
 * Paths of the repository in code spans, such as `apps/api/src`, without patterns and placeholders.
 */
function namedPaths(text: string): string[] {
  const paths = [...text.matchAll(/`((?:apps|packages|tools|tests|docs|infra|bench)\/[\w./-]+)`/g)];
  return paths.map((match) => match[1] ?? '');
}

describe('the documents', () => {
  test.each(documents)('all links of %s have existing targets', (document) => {
    const folder = dirname(join(root, document));
    const dead = localLinks(readFileSync(join(root, document), 'utf8')).filter((target) => !existsSync(join(folder, target)));
    expect(dead).toEqual([]);
  });

  test.each(documents.filter((document) => document !== 'CHANGELOG.md'))('all files named in %s exist', (document) => {
    const from = [root, dirname(join(root, document))];
    const paths = namedPaths(readFileSync(join(root, document), 'utf8'));
    const missing = paths.filter((path) => !from.some((folder) => existsSync(join(folder, path))));
    expect(missing).toEqual([]);
  });

  test('each workspace has a README', () => {
    const without = workspaces.filter((file) => !existsSync(join(root, dirname(file), 'README.md')));
    expect(without).toEqual([]);
  });
});
