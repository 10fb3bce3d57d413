import { useEffect } from 'react';
import { isTakenElsewhere } from '../../../ui/key-target.ts';

/** Name of a key in the map of actions; Enter acts at a node only. */
function nameOf({ metaKey, ctrlKey, shiftKey, key, target }: KeyboardEvent): string {
  if (key === 'Enter' && !(target instanceof Element && target.matches('.react-flow__node'))) return '';
  return `${metaKey || ctrlKey ? 'mod+' : ''}${shiftKey ? 'shift+' : ''}${key.toLowerCase()}`;
}

/** Keys that act outside of fields and dialogs. */
export function useEditorKeys(actions: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTakenElsewhere(event)) return;
      const action = actions[nameOf(event)];
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
}
