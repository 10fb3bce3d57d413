/**
 * Defines properties as the language defines its built-in properties: writable, configurable, not
 * enumerable.
 */
export function define(holder: object, values: Record<string, unknown>): void {
  for (const name of Object.keys(values)) defineOne(holder, name, values[name]);
}

/**
 * Defines globals whose value is computed on each read. User text may assign to the names and then
 * reads its own value.
 */
export function defineLazily(makers: Record<string, () => unknown>): void {
  for (const [name, get] of Object.entries(makers)) {
    Object.defineProperty(globalThis, name, {
      get,
      set: (value) => defineOne(globalThis, name, value),
      configurable: true,
    });
  }
}

function defineOne(holder: object, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, writable: true, configurable: true });
}
