const { getPrototypeOf } = Object;

/** The global `structuredClone`, for values that user code can hold. Preserves cycles. */
export function structuredClone<T>(value: T): T {
  return clone(value, new Map()) as T;
}

function clone(value: unknown, seen: Map<object, unknown>): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') throw refused(value);
  if (typeof value !== 'object' || value === null) return value;
  return seen.get(value) ?? cloneObject(value, seen);
}

function cloneObject(value: object, seen: Map<object, unknown>): unknown {
  const remember = <C extends object>(copy: C): C => {
    seen.set(value, copy);
    return copy;
  };
  if (value instanceof Date) return remember(new Date(value.getTime()));
  if (value instanceof RegExp) return remember(new RegExp(value.source, value.flags));
  if (value instanceof ArrayBuffer) return remember(value.slice(0));
  if (ArrayBuffer.isView(value)) return remember(cloneView(value));
  if (value instanceof Map) {
    const copy = remember(new Map());
    for (const [key, entry] of value) copy.set(clone(key, seen), clone(entry, seen));
    return copy;
  }
  if (value instanceof Set) {
    const copy = remember(new Set());
    for (const entry of value) copy.add(clone(entry, seen));
    return copy;
  }
  if (value instanceof Error) return Object.assign(remember(new Error(value.message)), { name: value.name });
  if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) throw refused(value);
  const copy = remember(Array.isArray(value) ? new Array(value.length) : {});
  for (const key of Object.keys(value)) {
    const entry = clone((value as Record<string, unknown>)[key], seen);
    Object.defineProperty(copy, key, { value: entry, writable: true, enumerable: true, configurable: true });
  }
  return copy;
}

/**
 * Copies a view's bytes. Does not use `slice`, which shares the bytes of a `Buffer` and does not
 * exist in a `DataView`. A `Buffer` becomes a `Uint8Array`.
 */
function cloneView(view: ArrayBufferView): object {
  const View = (globalThis as unknown as Record<string, new (bytes: ArrayBufferLike) => object>)[tagOf(view)];
  if (!View) throw refused(view);
  return new View(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
}

function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

function refused(value: unknown): Error {
  const kind = typeof value === 'object' && value !== null ? getPrototypeOf(value).constructor.name : typeof value;
  return new TypeError(`structuredClone() cannot copy a ${kind}`);
}
