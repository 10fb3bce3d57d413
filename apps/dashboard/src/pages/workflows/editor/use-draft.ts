import { useCallback, useReducer } from 'react';
import type { Workflow } from '../../../data/workflows.ts';
import type { Draft } from '../model/graph.ts';
import { change, type History, redo, startHistory, undo } from '../model/history.ts';

type Action =
  | { kind: 'edit'; edit: (draft: Draft) => Draft; key?: string | undefined; at: number }
  | { kind: 'undo' | 'redo' }
  | { kind: 'reset'; draft: Draft };

function reduce(history: History<Draft>, action: Action): History<Draft> {
  switch (action.kind) {
    case 'edit':
      return change(history, action.edit(history.present), action);
    case 'undo':
      return undo(history);
    case 'redo':
      return redo(history);
    case 'reset':
      return startHistory(action.draft);
  }
}

export function draftOf({ name, nodes, connections, settings, pinData }: Omit<Workflow, 'id'>): Draft {
  return { name, nodes, connections, settings, pinData: pinData ?? {} };
}

/** Edits the draft. Edits of the same key in a row are one step of undo. */
export type Edit = (edit: (draft: Draft) => Draft, key?: string) => void;

/** The draft of a workflow with undo and redo. `restored`: later changes, which an undo removes. */
export function useDraft(initial: Draft, restored = initial) {
  const [history, dispatch] = useReducer(reduce, undefined, () => change(startHistory(initial), restored, { at: 0 }));
  const edit: Edit = useCallback((apply, key) => dispatch({ kind: 'edit', edit: apply, key, at: Date.now() }), []);
  return {
    draft: history.present,
    edit,
    undo: useCallback(() => dispatch({ kind: 'undo' }), []),
    redo: useCallback(() => dispatch({ kind: 'redo' }), []),
    reset: useCallback((draft: Draft) => dispatch({ kind: 'reset', draft }), []),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
  };
}
