/**
 * `npm run release`: releases the current `main`. Bumps the version according to the pending
 * changesets, moves their text to a new section of the changelog, commits, tags, builds the image,
 * and writes the SBOM (CycloneDX). Does not push. `--dry-run` only prints the new section.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { pendingSummaries } from './changesets.ts';
import { sbomOf } from './production.ts';

/** Adds a section for `version` above the older ones. Entries with headings come last. */
export function withRelease(changelog: string, version: string, date: string, summaries: readonly string[]): string {
  const [intro = '', ...older] = changelog.split(/^(?=## )/m);
  const hasHeadings = (summary: string) => /^#/m.test(summary);
  const list = summaries.filter((summary) => !hasHeadings(summary)).map((summary) => `- ${summary.replaceAll('\n', '\n  ')}`);
  const section = [`## ${version} - ${date}`, list.join('\n'), ...summaries.filter(hasHeadings)].filter(Boolean).join('\n\n');
  return `${[intro.trimEnd(), section, older.join('').trimEnd()].filter(Boolean).join('\n\n')}\n`;
}

function release(isDryRun: boolean): void {
  if (!isDryRun && git('status', '--porcelain') !== '') throw new Error('the working tree has uncommitted changes');
  const summaries = pendingSummaries();
  if (summaries.length === 0) throw new Error('there are no changesets to release');
  const date = new Date().toISOString().slice(0, 10);
  if (isDryRun) {
    console.log(withRelease('', 'next', date, summaries));
    return;
  }
  run('npx', 'changeset', 'version');
  const { version } = JSON.parse(readFileSync('apps/cli/package.json', 'utf8'));
  run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version');
  writeFileSync('CHANGELOG.md', withRelease(readFileSync('CHANGELOG.md', 'utf8'), version, date, summaries));
  run('npm', 'install', '--package-lock-only', '--ignore-scripts');
  run('npm', 'run', 'api:accept');
  git('add', '--all');
  git('commit', '--message', `chore: release ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Sluice ${version}`);
  run('docker', 'build', '--file', 'infra/Dockerfile', '--tag', `sluice:${version}`, '.');
  writeFileSync(`sluice-${version}.cdx.json`, sbomOf('.'));
  console.log(`Released ${version}. To publish it, run git push --follow-tags, and push the image sluice:${version}.`);
}

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { stdio: 'inherit' });
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' });
}

if (import.meta.main) release(process.argv.includes('--dry-run'));
