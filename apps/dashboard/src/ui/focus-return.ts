import { useRef } from 'react';

/** The element that opened the dialogs now shown. A dialog that replaces another one has the same opener. */
let lastOpener: HTMLElement | undefined;

/**
 * Handlers of a modal dialog that return the focus to the element that had it before: Radix returns it only
 * to its own trigger. If that element is gone, the content of the page gets the focus, so that Tab continues there.
 */
export function useReturnFocus() {
  const opener = useRef<HTMLElement>(undefined);
  return {
    onOpenAutoFocus() {
      const focused = document.activeElement;
      opener.current = focused instanceof HTMLElement && focused !== document.body ? focused : lastOpener;
      lastOpener = opener.current;
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault();
      // Another dialog, or a part of the page that the dialog led to, already has it.
      if (document.activeElement !== document.body) return;
      lastOpener = undefined;
      const target = opener.current?.isConnected ? opener.current : document.getElementById('content');
      target?.focus();
    },
  };
}
