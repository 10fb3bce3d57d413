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

describe('the documents', () => {
  test.each(documents)('%s links only to what is there', (document) => {
    const folder = dirname(join(root, document));
    const dead = localLinks(readFileSync(join(root, document), 'utf8')).filter((target) => !existsSync(join(folder, target)));
    expect(dead).toEqual([]);
  });

  test('each workspace has a README', () => {
    const without = workspaces.filter((file) => !existsSync(join(root, dirname(file), 'README.md')));
    expect(without).toEqual([]);
  });
});
