/** Collects all garbage of this process, which has to run with `--expose-gc`, whenever its parent says so, and answers when that is done. */
export function collectWhenAsked(): void {
  process.on('message', (message) => {
    if (message !== 'collect garbage') return;
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    process.send?.('collected');
  });
}
