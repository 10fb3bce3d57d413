/** Whether a field, a dialog, or a menu handles an event, so that the page ignores it. */
export function isTakenElsewhere({ target }: Event): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable], [role=dialog], [role=menu]') !== null
  );
}
