/**
 * Collects all garbage of this process (started with `--expose-gc`) whenever its parent asks, and
 * reports when done.
 */
export function collectWhenAsked(): void {
  process.on('message', (message) => {
    if (message !== 'collect garbage') return;
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    process.send?.('collected');
  });
}
