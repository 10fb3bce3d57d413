import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { ApiError } from '../../data/errors.ts';
import { readWorkflow, runWorkflow, updateWorkflow, type Workflow, workflowsChanged } from '../../data/workflows.ts';
import { draftOf, useDraft } from './editor/use-draft.ts';
import type { Draft } from './model/graph.ts';

export interface Stored {
  workflow: Workflow;
  etag: string | null;
}

/** The draft of a workflow, what is stored, and what leads from one to the other. */
export function useWorkflowEditor(initial: Stored) {
  const [stored, setStored] = useState(initial);
  const [savedDraft, setSavedDraft] = useState<Draft>(() => draftOf(initial.workflow));
  const [isSaving, setSaving] = useState(false);
  const [hasConflict, setConflict] = useState(false);
  const drafts = useDraft(savedDraft);
  const { draft, reset } = drafts;
  const { id } = stored.workflow;
  const client = useQueryClient();

  const accept = useCallback(
    async (next: Stored) => {
      setStored(next);
      client.setQueryData(['workflows', id, 'stored'], next);
      await workflowsChanged();
    },
    [client, id],
  );

  /** Returns whether the draft was saved. A conflict is no error: the user decides. */
  const save = async (etag = stored.etag): Promise<boolean> => {
    setSaving(true);
    try {
      const { nodes, ...rest } = draft;
      const next = await updateWorkflow(id, { ...rest, nodes: [...nodes] }, etag);
      setSavedDraft(draft);
      setConflict(false);
      await accept(next);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 409 && error.code === 'VERSION_CONFLICT')) throw error;
      setConflict(true);
      return false;
    } finally {
      setSaving(false);
    }
  };

  const load = async () => {
    const next = await readWorkflow(id);
    const loaded = draftOf(next.workflow);
    reset(loaded);
    setSavedDraft(loaded);
    setConflict(false);
    await accept(next);
  };

  const overwrite = async () => save((await readWorkflow(id)).etag);

  const run = (options: { pinData?: Draft['pinData']; startNodes?: string[]; destinationNode?: string } = {}) => {
    const { pinData = draft.pinData, ...rest } = options;
    const { name, nodes, connections, settings } = draft;
    return runWorkflow(id, { workflowData: { name, nodes: [...nodes], connections, settings, pinData }, ...rest });
  };

  return {
    ...drafts,
    workflow: stored.workflow,
    etag: stored.etag,
    isDirty: draft !== savedDraft,
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
