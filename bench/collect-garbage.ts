/**
 * Preloaded into a process with `--expose-gc`: collects all garbage when the parent process asks
 * for it, and reports when it is done.
 */
process.on('message', (message) => {
  if (message !== 'collect garbage') return;
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  process.send?.('collected');
});
// The listener must not keep the process running.
process.channel?.unref();
