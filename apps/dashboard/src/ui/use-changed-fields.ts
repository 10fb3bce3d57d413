import { useRef } from 'react';

const fieldTypes = 'input, textarea, select, [role=checkbox], [role=switch]';

type Field = HTMLElement & { value?: string };

const stateOf = (field: Field) => field.getAttribute('aria-checked') ?? field.value;

/** Finds out whether the user has changed fields of an element, to which the listeners belong. */
export function useChangedFields() {
  const values = useRef(new Map<Field, string | undefined>());
  /** Before a field can change. Fields may appear later than the element. */
  const note = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    for (const field of currentTarget.querySelectorAll<Field>(fieldTypes)) {
      if (!values.current.has(field)) values.current.set(field, stateOf(field));
    }
  };
  return {
    listeners: { onFocusCapture: note, onPointerDownCapture: note },
    areChanged: () => [...values.current].some(([field, value]) => field.isConnected && stateOf(field) !== value),
  };
}
