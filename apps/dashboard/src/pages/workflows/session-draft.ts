import { session } from '../../data/session.ts';
import type { Draft } from './model/graph.ts';

/** Changes that were not saved when the session ended, or when the page was hidden. */
interface SessionDraft {
  /** ID of the user's personal project. Other users do not get the draft. */
  ownerId: string;
  workflowId: string;
  draft: Draft;
  /** The version from which the draft was made: the save finds a conflict with a newer one. */
  base: { versionId: string; etag: string | null };
}

const name = 'sluice.draft';

/**
 * Stores changes in this tab when the session ends or the page is hidden: a sign-in link reloads
 * the page, and a browser may discard a hidden page. Returns a function that stops this, and
 * removes changes that were stored because the page was hidden.
 */
export function storeAtEnd(sessionDraft: SessionDraft): () => void {
  let isHidden = false;
  const onHide = () => {
    if (document.visibilityState !== 'hidden') return;
    isHidden = true;
    store(sessionDraft);
  };
  const unsubscribe = session.subscribe(() => {
    // A user who signs out was already asked about changes.
    if (session.get().reason === undefined) return;
    isHidden = false;
    store(sessionDraft);
  });
  // `pagehide` is preceded by this event.
  document.addEventListener('visibilitychange', onHide);
  return () => {
    unsubscribe();
    document.removeEventListener('visibilitychange', onHide);
    if (isHidden) removeSessionDraft();
  };
}

function store(sessionDraft: SessionDraft): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(sessionDraft));
  } catch {
    // The storage is full.
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
