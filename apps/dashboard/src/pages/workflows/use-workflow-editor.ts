import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../data/errors.ts';
import {
  readWorkflow,
  runWorkflow,
  updateWorkflow,
  type Workflow,
  type WorkflowWarning,
  workflowsChanged,
} from '../../data/workflows.ts';
import { toast } from '../../ui/toast.tsx';
import { draftOf, type Edit, useDraft } from './editor/use-draft.ts';
import type { Draft } from './model/graph.ts';
import { findSessionDraft, removeSessionDraft, storeAtEnd } from './session-draft.ts';

export interface Stored {
  workflow: Workflow;
  etag: string | null;
}

const ignored: Edit = () => undefined;

/** Warnings of a save, except for the one that the header of the page shows in another way. */
const warningsOf = ({ warnings = [] }: Workflow) => warnings.filter(({ code }) => code !== 'ACTIVE_VERSION_UNCHANGED');

const baseOf = ({ workflow: { versionId }, etag }: Stored) => ({ versionId, etag });

interface EditorOptions {
  /** Without it, edits are ignored. */
  canEdit: boolean;
  /** The user, by whom a draft is kept when the session ends; `undefined`: unknown. */
  ownerId: string | undefined;
}

export interface RunOptions {
  /** Default: the pinned items of the draft. */
  pinData?: Draft['pinData'];
  startNodes?: string[];
  destinationNode?: string;
}

/** Removes a restored draft from the storage, and notifies the user. */
function useRestored(sessionDraft: unknown): void {
  useEffect(() => {
    if (sessionDraft === undefined) return;
    removeSessionDraft();
    toast.success('Unsaved changes restored', 'Save them, or undo to discard them.');
  }, [sessionDraft]);
}

/** The draft of a workflow, its stored state, and the actions between them. */
export function useWorkflowEditor(initial: Stored, { canEdit, ownerId }: EditorOptions) {
  const [workflow, setWorkflow] = useState(initial.workflow);
  const [sessionDraft] = useState(() => findSessionDraft(initial.workflow.id, ownerId));
  /** The stored version from which the draft was made. */
  const [base, setBase] = useState(() => sessionDraft?.base ?? baseOf(initial));
  const [savedDraft, setSavedDraft] = useState<Draft>(() => draftOf(initial.workflow));
  const [warnings, setWarnings] = useState<readonly WorkflowWarning[]>([]);
  const [isSaving, setSaving] = useState(false);
  const saving = useRef<Promise<string | undefined>>(undefined);
  const [hasConflict, setConflict] = useState(false);
  const drafts = useDraft(savedDraft, sessionDraft?.draft);
  const { draft, reset } = drafts;
  const isDirty = draft !== savedDraft;
  const { id } = workflow;
  const client = useQueryClient();

  useRestored(sessionDraft);
  useEffect(() => {
    if (!isDirty || ownerId === undefined) return;
    return storeAtEnd({ ownerId, workflowId: id, draft, base });
  }, [isDirty, ownerId, id, draft, base]);

  /**
   * Shows a stored state that was read after a change, such as an activation. If someone else has
   * saved a version in the meantime, the draft is not made from it, and the next save has to find
   * the conflict.
   */
  const accept = useCallback(
    async (next: Stored) => {
      setWorkflow(next.workflow);
      setBase((before) => (next.workflow.versionId === before.versionId ? baseOf(next) : before));
      client.setQueryData(['workflows', id, 'stored'], next);
      await workflowsChanged();
    },
    [client, id],
  );

  /** Makes a stored state the base of the draft. */
  const rebase = async (next: Stored, saved: Draft, found: readonly WorkflowWarning[]) => {
    setSavedDraft(saved);
    setWarnings(found);
    setConflict(false);
    setBase(baseOf(next));
    await accept(next);
  };

  const store = async (etag: string | null): Promise<string | undefined> => {
    setSaving(true);
    try {
      const { nodes, ...rest } = draft;
      const next = await updateWorkflow(id, { ...rest, nodes: [...nodes] }, etag);
      await rebase(next, draft, warningsOf(next.workflow));
      return next.workflow.versionId;
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'VERSION_CONFLICT')) throw error;
      setConflict(true);
      return undefined;
    } finally {
      setSaving(false);
    }
  };

  /**
   * Returns the ID of the saved version; `undefined` after a conflict, which is not an error: the
   * user decides. Joins a save in progress: a second one would conflict with the first.
   */
  const save = (etag = base.etag): Promise<string | undefined> => {
    saving.current ??= store(etag).finally(() => {
      saving.current = undefined;
    });
    return saving.current;
  };

  const load = async () => {
    const next = await readWorkflow(id);
    const loaded = draftOf(next.workflow);
    reset(loaded);
    await rebase(next, loaded, []);
  };

  const overwrite = async () => save((await readWorkflow(id)).etag);

  const run = ({ pinData = draft.pinData, ...rest }: RunOptions = {}) =>
    runWorkflow(id, { workflowData: { ...draft, nodes: [...draft.nodes], pinData }, ...rest });

  return {
    ...drafts,
    edit: canEdit ? drafts.edit : ignored,
    canEdit,
    workflow,
    base,
    isDirty,
    warnings,
    isSaving,
    hasConflict,
    dismissConflict: () => setConflict(false),
    save,
    load,
    overwrite,
    run,
    accept,
  };
}

export type WorkflowEditor = ReturnType<typeof useWorkflowEditor>;
