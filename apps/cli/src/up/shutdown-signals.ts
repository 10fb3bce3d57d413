const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type Name = (typeof names)[number];

export class StopRequestedError extends Error {
  constructor() {
    super('stop requested');
  }
}

/** Stop requests from the signals that this process receives. */
export interface ShutdownSignals {
  /** Fires at the first signal: stop cleanly. Its reason is a `StopRequestedError`. */
  readonly stop: AbortSignal;
  /**
   * Fires at the second signal, except SIGHUP, which a closed terminal may repeat: stop at once.
   */
  readonly stopNow: AbortSignal;
  dispose(): void;
}

export function listenForShutdown(): ShutdownSignals {
  const stop = new AbortController();
  const stopNow = new AbortController();
  const onSignal = (name: Name) => (stop.signal.aborted && name !== 'SIGHUP' ? stopNow : stop).abort(new StopRequestedError());
  for (const name of names) process.on(name, onSignal);
  return {
    stop: stop.signal,
    stopNow: stopNow.signal,
    dispose() {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
