const { getPrototypeOf, ownKeys } = Reflect;

const coreModules = [
  'async_hooks',
  'buffer',
  'child_process',
  'crypto',
  'dns',
  'events',
  'fs',
  'fs/promises',
  'http',
  'https',
  'module',
  'net',
  'os',
  'path',
  'perf_hooks',
  'stream',
  'timers',
  'timers/promises',
  'tls',
  'url',
  'util',
  'worker_threads',
  'zlib',
];
const namespaces = ['Atomics', 'Intl', 'JSON', 'Math', 'Reflect', 'WebAssembly'];

/**
 * Globals of compiler helpers: each copy of `tslib` defines `__extends`, `__assign`, and others
 * again, even if a library of this process already loaded a copy.
 */
const compilerHelper = /^__[a-z]/;

/** A built-in that all code of the process shares. */
export interface Guarded {
  readonly label: string;
  readonly target: object;
  readonly isPrototype: boolean;
  /** Data members may change; only functions are guarded. */
  readonly isFunctionsOnly: boolean;
  /**
   * Keys that existed before any package was loaded. Later keys may be replaced, because each
   * package brings its own copy of a library.
   */
  readonly ownKeys: ReadonlySet<PropertyKey>;
}

let guarded: readonly Guarded[] | undefined;

/** The built-ins that all code of the process shares, as they are at the first call. */
export function guardedObjects(): readonly Guarded[] {
  guarded ??= listGuarded();
  return guarded;
}

function listGuarded(): Guarded[] {
  const objects = new Map<object, Guarded>();
  const add = (label: string, target: unknown, more: Partial<Guarded> = {}) => {
    if (!isObject(target) || objects.has(target)) return;
    objects.set(target, {
      label,
      target,
      isPrototype: false,
      isFunctionsOnly: false,
      ownKeys: new Set(ownKeys(target).filter((key) => target !== globalThis || !isCompilerHelper(key))),
      ...more,
    });
  };
  const addClass = (label: string, target: unknown, more: Partial<Guarded> = {}) => {
    if (typeof target !== 'function') return;
    add(label, target, more);
    add(`${label}.prototype`, target.prototype, { isPrototype: true, ...more });
  };
  // Checked first, so that descriptors inherit correctly when the others are checked.
  add('Object.prototype', Object.prototype, { isPrototype: true });
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(globalThis))) {
    addClass(name, value);
    if (namespaces.includes(name)) add(name, value);
  }
  addClass('TypedArray', getPrototypeOf(Uint8Array));
  const hidden = {
    AsyncFunction: async () => {},
    GeneratorFunction: function* () {},
    AsyncGeneratorFunction: async function* () {},
  };
  for (const [name, example] of Object.entries(hidden)) {
    const prototype = getPrototypeOf(example) as { prototype?: object };
    add(`${name}.prototype`, prototype, { isPrototype: true });
    add(`${name}.prototype.prototype`, prototype.prototype, { isPrototype: true });
  }
  for (const [name, iterator] of Object.entries({
    Array: [].values(),
    Map: new Map().keys(),
    Set: new Set().keys(),
    String: ''[Symbol.iterator](),
  }))
    add(`${name}Iterator.prototype`, getPrototypeOf(iterator), { isPrototype: true });
  add('globalThis', globalThis);
  add('process', process, { isFunctionsOnly: true });
  for (const name of coreModules) {
    const module = process.getBuiltinModule(name) as object;
    const label = name.replace('/', '.');
    addClass(label, module, { isFunctionsOnly: true });
    add(label, module, { isFunctionsOnly: true });
    for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(module)))
      if (isClass(value)) addClass(`${label}.${key}`, value, { isFunctionsOnly: true });
  }
  return [...objects.values()];
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function isClass(value: unknown): boolean {
  return typeof value === 'function' && isObject(value.prototype) && ownKeys(value.prototype).length > 1;
}

function isCompilerHelper(key: PropertyKey): boolean {
  return typeof key === 'string' && compilerHelper.test(key);
}
