import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('..', import.meta.url));

function namesIn(patterns: readonly string[], name: RegExp): Set<string> {
  const paths = globSync([...patterns], { cwd: root }).filter((path) => !path.endsWith('.test.ts'));
  return new Set(
    paths.flatMap((path) => [...readFileSync(`${root}/${path}`, 'utf8').matchAll(name)].map(([, found = '']) => found)),
  );
}

const defined = namesIn(['{apps,packages}/*/src/metrics/*.ts'], /'(sluice_[a-z_]+)'/g);

test('alerts, dashboards, autoscaling, and documents name metrics that exist', () => {
  const files = ['infra/{observability,k8s,helm}/**/*.{yml,yaml,json}', 'docs/*.md', 'docs/runbooks/*.md'];
  const used = namesIn(files, /\b(sluice_[a-z_]*[a-z])(?=[{})\s[`,]|$)/g);
  const isDefined = (name: string) => defined.has(name) || defined.has(name.replace(/_(?:bucket|count|sum)$/, ''));
  expect([...used].filter((name) => !isDefined(name))).toEqual([]);
  expect(used.size).toBeGreaterThan(20);
});

test('docs/operations.md explains every metric', () => {
  const documented = namesIn(['docs/operations.md'], /`(sluice_[a-z_]+)[{`]/g);
  expect([...defined].filter((name) => !documented.has(name))).toEqual([]);
});
