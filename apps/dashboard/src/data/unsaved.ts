import { useEffect, useRef } from 'react';
import { createStore } from './store.ts';

/** A form with changes that are not saved. */
interface UnsavedForm {
  /** Resolves to false if the changes could not be saved. Absent: the user saves in the form itself. */
  save?: (() => Promise<boolean>) | undefined;
}

export const unsavedForms = createStore<readonly UnsavedForm[]>([]);

/** While the form of a component has changes, the user is asked before they are lost. */
export function useUnsaved(isDirty: boolean, save?: UnsavedForm['save']): void {
  const latest = useRef(save);
  latest.current = save;
  const canSave = save !== undefined;
  useEffect(() => {
    if (!isDirty) return;
    const form = canSave ? { save: async () => (await latest.current?.()) ?? false } : {};
    unsavedForms.set([...unsavedForms.get(), form]);
    return () => unsavedForms.set(unsavedForms.get().filter((other) => other !== form));
  }, [isDirty, canSave]);
}
