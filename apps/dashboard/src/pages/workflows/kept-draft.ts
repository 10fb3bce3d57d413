import type { Draft } from './model/graph.ts';

/** Changes that were not saved when the session ended. */
export interface KeptDraft {
  workflowId: string;
  draft: Draft;
  /** The stored version from which the draft was made: the save finds a conflict with a newer one. */
  base: { versionId: string; etag: string | null };
}

const name = 'sluice.draft';

/** Keeps changes in this tab, also while a sign-in link reloads the page. */
export function keepDraft(kept: KeptDraft): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(kept));
  } catch {
    // The storage has no room for them.
  }
}

export function findKeptDraft(workflowId: string): KeptDraft | undefined {
  const kept: KeptDraft | null = JSON.parse(sessionStorage.getItem(name) ?? 'null');
  return kept?.workflowId === workflowId ? kept : undefined;
}

export function forgetKeptDraft(): void {
  sessionStorage.removeItem(name);
}
