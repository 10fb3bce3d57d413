import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../.changeset/', import.meta.url);

/** Texts of the changesets for the next release. */
export function pendingSummaries(): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');
  return names.map((name) => summaryOf(readFileSync(new URL(name, folder), 'utf8')));
}

/** The text of a changeset, without its front matter. */
export function summaryOf(changeset: string): string {
  return changeset.replace(/^---\n[\s\S]*?\n---\n/, '').trim();
}
