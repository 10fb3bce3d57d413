import { EventEmitter } from 'node:events';

type Listener = ((...args: unknown[]) => void) & { listener?: Listener };
type EventName = string | symbol;

interface KeepOptions {
  /** Whether package code is running. */
  isPackage: () => boolean;
  /** Events that packages may not listen to: their listeners are removed. */
  refused: ReadonlySet<EventName>;
}

/**
 * Protects an emitter's listeners, including existing ones, from removal by packages: they are in
 * place for each emitted event. Call this before any package runs.
 *
 * Listeners are tracked as they are added and removed; `once` listeners are tracked in their
 * wrapped form. A listener that package code removes is restored as soon as that code yields, so
 * that a signal does not fall back to its default action. If the emitter does not report the
 * removal (all listeners removed together), it is restored at the next event. A `once` listener
 * that fired is removed permanently, regardless of which code emitted the event. Code that replaces
 * `emit` or `removeListener` itself is not prevented.
 */
export function keepListeners(emitter: EventEmitter, { isPackage, refused }: KeepOptions): void {
  const { on, emit, removeListener } = EventEmitter.prototype;
  const keptListeners = new Map<EventName, readonly Listener[]>();
  const theirs = new WeakSet<Listener>();
  /** Wrapped `once` listeners of the events that are being emitted. */
  let firing: readonly Listener[] = [];
  let isPuttingBack = false;
  const present = (event: EventName) => emitter.rawListeners(event) as Listener[];

  const note = (event: EventName) => {
    const own = present(event).filter((one) => !theirs.has(innermost(one)));
    keptListeners.set(event, [...without(keptListeners.get(event) ?? [], own), ...own]);
  };
  const forget = (event: EventName, listener: Listener) =>
    keptListeners.set(event, without(keptListeners.get(event) ?? [], [listener]));
  const missing = (event: EventName) => without(keptListeners.get(event) ?? [], present(event));
  const putBack = () => {
    if (isPuttingBack) return;
    isPuttingBack = true;
    for (const event of keptListeners.keys()) for (const one of missing(event)) on.call(emitter, event, one);
    isPuttingBack = false;
  };

  emitter.on('newListener', (event: EventName, listener: Listener) => {
    if (isPuttingBack) return;
    // In both cases the listener is not attached yet.
    if (!isPackage()) return queueMicrotask(() => note(event));
    theirs.add(listener);
    if (refused.has(event)) queueMicrotask(() => emitter.off(event, listener));
  });
  emitter.on('removeListener', (event: EventName, listener: Listener) => {
    if (isPackage()) return queueMicrotask(putBack);
    // The listener is already detached, and is reported either unwrapped or wrapped.
    const removed = missing(event).find((one) => innermost(one) === innermost(listener));
    if (removed) forget(event, removed);
  });
  for (const event of emitter.eventNames()) note(event);
  // A wrapped `once` listener calls this as it fires, even if it was removed during the event.
  emitter.removeListener = (event: EventName, listener: Listener) => {
    if (firing.includes(listener)) forget(event, listener);
    return removeListener.call(emitter, event, listener);
  };
  emitter.emit = (event: EventName, ...args: unknown[]) => {
    // Listeners reported by `removeListener` must not be restored before the report.
    if (event !== 'removeListener') putBack();
    // Listeners added while the emitter was empty were not reported.
    if (refused.has(event))
      for (const one of present(event)) if (!keptListeners.get(event)?.includes(one)) emitter.off(event, one);
    const before = firing;
    firing = [...before, ...present(event).filter((one) => one.listener !== undefined)];
    try {
      return emit.call(emitter, event, ...args);
    } finally {
      firing = before;
    }
  };
}

/** Difference of lists: removes each element of `others` once. */
function without(listeners: readonly Listener[], others: readonly Listener[]): Listener[] {
  const rest = [...others];
  return listeners.filter((one) => {
    const index = rest.indexOf(one);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
}

/** The listener as it was originally passed. */
function innermost(listener: Listener): Listener {
  return listener.listener ?? listener;
}
