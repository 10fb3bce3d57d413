/**
 * Preloaded into a process that is started with `--expose-gc`: collects all garbage whenever the parent
 * asks, and reports when done.
 */
process.on('message', (message) => {
  if (message !== 'collect garbage') return;
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  process.send?.('collected');
});
// The listener must not keep the process running.
process.channel?.unref();
