import { useEffect, useRef } from 'react';
import { createStore } from './store.ts';

/** A form with changes that are not saved. */
interface UnsavedForm {
  isDirty(): boolean;
  /** Resolves to false if nothing was saved. Absent: the user saves in the form itself. */
  save?: (() => Promise<boolean>) | undefined;
}

const forms = createStore<readonly UnsavedForm[]>([]);

export const unsavedForms = (): readonly UnsavedForm[] => forms.get().filter((form) => form.isDirty());

/**
 * While the form of a component has changes, the user is asked before they are lost. A function is
 * asked when the user leaves.
 */
export function useUnsaved(isDirty: boolean | (() => boolean), save?: UnsavedForm['save']): void {
  const latest = useRef({ isDirty, save });
  latest.current = { isDirty, save };
  const mayBeDirty = isDirty !== false;
  const canSave = save !== undefined;
  useEffect(() => {
    if (!mayBeDirty) return;
    const form: UnsavedForm = {
      isDirty() {
        const { isDirty: now } = latest.current;
        return typeof now === 'function' ? now() : now;
      },
      ...(canSave && { save: async () => (await latest.current.save?.()) ?? false }),
    };
    forms.set([...forms.get(), form]);
    return () => forms.set(forms.get().filter((other) => other !== form));
  }, [mayBeDirty, canSave]);
}
