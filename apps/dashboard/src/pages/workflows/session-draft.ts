import type { Draft } from './model/graph.ts';

/** Changes that were not saved when the session ended. */
interface SessionDraft {
  /** ID of the user's personal project. Other users do not get the draft. */
  ownerId: string;
  workflowId: string;
  draft: Draft;
  /** The stored version from which the draft was made: the save finds a conflict with a newer one. */
  base: { versionId: string; etag: string | null };
}

const name = 'sluice.draft';

/** Keeps changes in this tab, also while a sign-in link reloads the page. */
export function storeSessionDraft(sessionDraft: SessionDraft): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(sessionDraft));
  } catch {
    // The storage has no room for them.
  }
}

/** The draft of the user who is signed in. Another user's draft is removed. */
export function findSessionDraft(workflowId: string, ownerId: string | undefined): SessionDraft | undefined {
  const sessionDraft: SessionDraft | null = JSON.parse(sessionStorage.getItem(name) ?? 'null');
  if (sessionDraft === null || ownerId === undefined) return undefined;
  if (sessionDraft.ownerId !== ownerId) removeSessionDraft();
  return sessionDraft.ownerId === ownerId && sessionDraft.workflowId === workflowId ? sessionDraft : undefined;
}

export function removeSessionDraft(): void {
  sessionStorage.removeItem(name);
}
