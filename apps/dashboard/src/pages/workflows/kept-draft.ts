import type { Draft } from './model/graph.ts';

/** Changes that were not saved when the session ended. */
interface KeptDraft {
  /** ID of the user's personal project. Other users do not get the draft. */
  ownerId: string;
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

/** The draft of the user who is signed in. Another user's draft is removed. */
export function findKeptDraft(workflowId: string, ownerId: string | undefined): KeptDraft | undefined {
  const kept: KeptDraft | null = JSON.parse(sessionStorage.getItem(name) ?? 'null');
  if (kept === null || ownerId === undefined) return undefined;
  if (kept.ownerId !== ownerId) forgetKeptDraft();
  return kept.ownerId === ownerId && kept.workflowId === workflowId ? kept : undefined;
}

export function forgetKeptDraft(): void {
  sessionStorage.removeItem(name);
}
