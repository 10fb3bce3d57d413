/** The elements from which the dialogs now shown were opened, the first one first. */
const openers: HTMLElement[] = [];

function rememberOpener(): void {
  const opener = document.activeElement;
  // A dialog that replaces another one has the same opener.
  if (opener instanceof HTMLElement && opener !== document.body) openers.push(opener);
}

function returnFocus(event: Event): void {
  event.preventDefault();
  const focused = document.activeElement;
  if (focused?.closest('[role=dialog]')) return;
  const opener = openers.findLast(({ isConnected }) => isConnected);
  if (focused !== document.body) openers.length = 0;
  else if (opener) {
    openers.length = openers.lastIndexOf(opener);
    opener.focus();
  } else document.getElementById('content')?.focus();
}

/**
 * Handlers of a modal dialog that return the focus to the element that had it before: Radix returns
 * it only to its own trigger. If that element is gone, the content of the page gets the focus, so
 * that Tab continues there.
 */
export const focusReturn = { onOpenAutoFocus: rememberOpener, onCloseAutoFocus: returnFocus };
