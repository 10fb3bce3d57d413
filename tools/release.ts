/**
 * `npm run release`: releases the current `main`. Raises the version by the pending changesets, moves
 * their texts and the section "Unreleased" of the changelog to a section of that version, commits,
 * tags, builds the image, and writes the list of components (CycloneDX). Pushes nothing. `--dry-run`
 * prints the new section and changes nothing.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { sbomOf } from './production.ts';

/** The text of a changeset, without its front matter. */
export function summaryOf(changeset: string): string {
  return changeset.replace(/^---\n[\s\S]*?\n---\n/, '').trim();
}

/** The changelog with a section for `version` that holds `summaries` and everything that was unreleased. */
export function withRelease(changelog: string, version: string, date: string, summaries: readonly string[]): string {
  const [before = '', after] = changelog.split(/^## Unreleased\n/m);
  if (after === undefined) throw new Error('CHANGELOG.md has no section "Unreleased"');
  const end = after.search(/^## /m);
  const unreleased = (end === -1 ? after : after.slice(0, end)).trim();
  const older = end === -1 ? '' : after.slice(end);
  const entries = [summaries.map((summary) => `- ${summary.replaceAll('\n', '\n  ')}`).join('\n'), unreleased].filter(Boolean);
  return `${before}## Unreleased\n\n## ${version} - ${date}\n\n${entries.join('\n\n')}\n${older && `\n${older}`}`;
}

function release(isDryRun: boolean): void {
  if (!isDryRun && git('status', '--porcelain') !== '') throw new Error('the working tree has changes: commit them first');
  const pending = readdirSync('.changeset').filter((name) => name.endsWith('.md') && name !== 'README.md');
  if (pending.length === 0) throw new Error('there is no changeset to release');
  const summaries = pending.map((name) => summaryOf(readFileSync(`.changeset/${name}`, 'utf8')));
  const date = new Date().toISOString().slice(0, 10);
  if (isDryRun) {
    console.log(withRelease('## Unreleased\n', 'next', date, summaries));
    return;
  }
  run('npx', 'changeset', 'version');
  const { version } = JSON.parse(readFileSync('apps/cli/package.json', 'utf8'));
  run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version');
  writeFileSync('CHANGELOG.md', withRelease(readFileSync('CHANGELOG.md', 'utf8'), version, date, summaries));
  run('npm', 'install', '--package-lock-only', '--ignore-scripts');
  git('add', '--all');
  git('commit', '--message', `chore: release ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Sluice ${version}`);
  run('docker', 'build', '--file', 'infra/Dockerfile', '--tag', `sluice:${version}`, '.');
  writeFileSync(`sluice-${version}.cdx.json`, sbomOf('.'));
  console.log(`Released ${version}. Publish it: git push --follow-tags, then push the image sluice:${version}.`);
}

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { stdio: 'inherit' });
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) release(process.argv.includes('--dry-run'));
