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
 * Who replaces `emit` itself is not held up.
 */
export function keepListeners(emitter: EventEmitter, { isPackage, refused }: KeepOptions): void {
  const { on, emit } = EventEmitter.prototype;
  const kept = new Map<EventName, readonly Listener[]>();
  const theirs = new WeakSet<Listener>();
  let isPuttingBack = false;
  const present = (event: EventName) => emitter.rawListeners(event) as Listener[];

  const note = (event: EventName) => {
    const own = present(event).filter((one) => !theirs.has(innermost(one)));
    const missing = (kept.get(event) ?? []).filter((one) => !own.includes(one));
    kept.set(event, [...missing, ...own]);
  };
  const forget = (event: EventName, listener: Listener) => {
    const noted = kept.get(event) ?? [];
    const index = noted.findLastIndex((one) => innermost(one) === listener);
    if (index >= 0) kept.set(event, noted.toSpliced(index, 1));
  };
  const putBack = () => {
    if (isPuttingBack) return;
    isPuttingBack = true;
    for (const [event, listeners] of kept) {
      const there = present(event);
      for (const one of listeners) if (!there.includes(one)) on.call(emitter, event, one);
    }
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
    if (isPackage()) queueMicrotask(putBack);
    else forget(event, listener);
  });
  for (const event of emitter.eventNames()) note(event);
  emitter.emit = (event: EventName, ...given: unknown[]) => {
    // What `removeListener` tells of is not to be put back before it is told.
    if (event !== 'removeListener') putBack();
    // Nobody has told of those that came while the emitter was empty.
    if (refused.has(event)) for (const one of present(event)) if (!kept.get(event)?.includes(one)) emitter.off(event, one);
    return emit.call(emitter, event, ...given);
  };
}

/** As whoever has set it knows it. */
function innermost(listener: Listener): Listener {
  return listener.listener ?? listener;
}
