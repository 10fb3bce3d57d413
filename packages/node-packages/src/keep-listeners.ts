import { EventEmitter } from 'node:events';

type Listener = ((...given: unknown[]) => void) & { listener?: Listener };
type EventName = string | symbol;

export interface KeepOptions {
  /** Whether code of a package runs. */
  isPackage: () => boolean;
  /** Events that packages may not listen to: what they set does not stay. */
  refused: ReadonlySet<EventName>;
}

/**
 * Keeps the listeners of an emitter that are not of packages, whatever packages call to take them away: each event that the emitter tells of finds them in
 * their place. To be called before any package runs; those that are there already are kept, too.
 *
 * They are noted as they come and go, those of `once` as they are wrapped. What the code of a package takes away is put back as soon as that code gives way, so
 * that a signal does not get the meaning that it has without listeners; where nothing tells of it (an emitter that is emptied at one go), with the next event.
 * One of `once` that fires goes for good, whose code ever has it fire. Who replaces `emit` or `removeListener` itself is not held up.
 */
export function keepListeners(emitter: EventEmitter, { isPackage, refused }: KeepOptions): void {
  const { on, emit, removeListener } = EventEmitter.prototype;
  const kept = new Map<EventName, readonly Listener[]>();
  const theirs = new WeakSet<Listener>();
  /** What `once` has wrapped for the events that are being emitted. */
  let firing: readonly Listener[] = [];
  let isPuttingBack = false;
  const present = (event: EventName) => emitter.rawListeners(event) as Listener[];

  const note = (event: EventName) => {
    const own = present(event).filter((one) => !theirs.has(innermost(one)));
    kept.set(event, [...without(kept.get(event) ?? [], own), ...own]);
  };
  const forget = (event: EventName, listener: Listener) => kept.set(event, without(kept.get(event) ?? [], [listener]));
  const missing = (event: EventName) => without(kept.get(event) ?? [], present(event));
  const putBack = () => {
    if (isPuttingBack) return;
    isPuttingBack = true;
    for (const event of kept.keys()) for (const one of missing(event)) on.call(emitter, event, one);
    isPuttingBack = false;
  };

  emitter.on('newListener', (event: EventName, listener: Listener) => {
    if (isPuttingBack) return;
    // In both cases it is not there yet.
    if (!isPackage()) return queueMicrotask(() => note(event));
    theirs.add(listener);
    if (refused.has(event)) queueMicrotask(() => emitter.off(event, listener));
  });
  emitter.on('removeListener', (event: EventName, listener: Listener) => {
    if (isPackage()) return queueMicrotask(putBack);
    // Gone already, and told of as it was given or as it was wrapped.
    const gone = missing(event).find((one) => innermost(one) === innermost(listener));
    if (gone) forget(event, gone);
  });
  for (const event of emitter.eventNames()) note(event);
  // What `once` has wrapped calls this as it fires, even where it has been taken away since the event began.
  emitter.removeListener = (event: EventName, listener: Listener) => {
    if (firing.includes(listener)) forget(event, listener);
    return removeListener.call(emitter, event, listener);
  };
  emitter.emit = (event: EventName, ...given: unknown[]) => {
    // What `removeListener` tells of is not to be put back before it is told.
    if (event !== 'removeListener') putBack();
    // Nobody has told of those that came while the emitter was empty.
    if (refused.has(event)) for (const one of present(event)) if (!kept.get(event)?.includes(one)) emitter.off(event, one);
    const before = firing;
    firing = [...before, ...present(event).filter((one) => one.listener !== undefined)];
    try {
      return emit.call(emitter, event, ...given);
    } finally {
      firing = before;
    }
  };
}

/** `listeners` without as many of each as there are in `others`. */
function without(listeners: readonly Listener[], others: readonly Listener[]): Listener[] {
  const rest = [...others];
  return listeners.filter((one) => {
    const index = rest.indexOf(one);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
}

/** As whoever has set it knows it. */
function innermost(listener: Listener): Listener {
  return listener.listener ?? listener;
}
