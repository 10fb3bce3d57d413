import { PackageError } from './package-error.ts';

/*
 * Packages share the built-ins of the process with everybody. One that replaces a member of them at its load breaks all others, which would be blamed for it,
 * and could read what passes through. So what was there before is put back, and the package is refused.
 *
 * Not refused for it, though it is undone as well, is a package with a well-known library that replaces what it need not (`replacedByLibraries`): those work
 * without. And members that are added to objects which nobody inherits from may stay: `reflect-metadata` and parts of `core-js` live by that. To prototypes,
 * those may be added that no loop finds, but none to `Object.prototype`.
 */

/** Taken before any package has run, and all that is used until everything is as it was: whatever else there is may be replaced. */
const {
  apply,
  defineProperty,
  deleteProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  isExtensible,
  ownKeys,
  setPrototypeOf,
} = Reflect;
const { is } = Object;

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

const replacedByLibraries = new Set([
  // core-js
  'Function.prototype.toString',
  'Iterator.prototype.drop',
  'Iterator.prototype.take',
  'Promise.try',
  'String.prototype.at',
  'structuredClone',
  ...['difference', 'intersection', 'isDisjointFrom', 'isSubsetOf', 'isSupersetOf', 'symmetricDifference', 'union'].map(
    (name) => `Set.prototype.${name}`,
  ),
  // source-map-support, depd, callsites
  'Error.prepareStackTrace',
  'Error.stackTraceLimit',
  // source-map-support, signal-exit
  'process.emit',
  'process.reallyExit',
  // graceful-fs
  'fs.close',
  'fs.closeSync',
  'process.chdir',
  'process.cwd',
  // v8-compile-cache, module-alias
  'module.prototype._compile',
  'module._nodeModulePaths',
  'module._resolveFilename',
]);
/** web-streams-polyfill */
const webStreams = /^(?:(?:Readable|Transform|Writable)(?:Byte)?Stream\w*|(?:ByteLength|Count)QueuingStrategy)$/;

interface Guarded {
  readonly label: string;
  readonly target: object;
  readonly isPrototype: boolean;
  /** Members that are data and no functions are there to be set. */
  readonly isFunctionsOnly: boolean;
  /** Those that there were before any package. What one has added, another may replace: each brings its own copy of a library. */
  readonly ownKeys: ReadonlySet<PropertyKey>;
}

interface Before extends Guarded {
  readonly keys: readonly PropertyKey[];
  /** Inherits nothing; `null`: a member that may change. */
  readonly members: Readonly<Record<PropertyKey, PropertyDescriptor | null>>;
  readonly prototype: object | null;
  readonly isExtensible: boolean;
}

/** A list of its own kind, since lists of the language may be what is changed. */
interface Change {
  readonly kind: 'adds' | 'changes';
  readonly of: Guarded;
  /** `undefined`: the object as a whole. */
  readonly key: PropertyKey | undefined;
  readonly isUndone: boolean;
  readonly next: Change | undefined;
}

/** Sees to what all code of the process shares, as it is now. */
export class BuiltInGuard {
  readonly #before: readonly Before[] = guardedObjects().map(snapshotOf);

  /** Undoes what has been changed since. Throws `PackageError` that names it where that is more than well-known libraries do. */
  restore(): void {
    let changes: Change | undefined;
    for (let index = 0; index < this.#before.length; index += 1) changes = undo(this.#before[index] as Before, changes);
    const told = toldOf(changes);
    const added = told.filter(({ kind }) => kind === 'adds').map(labelOf);
    const changed = told.filter(({ kind }) => kind === 'changes').map(labelOf);
    if (told.length === 0) return;
    const parts = [added.length > 0 && `adds ${listed(added)}`, changed.length > 0 && `changes ${listed(changed)}`];
    const isUndone = told.every((change) => change.isUndone);
    const consequence = `which all code ${isUndone ? 'would see' : 'sees, and which cannot be undone'}`;
    throw new PackageError(`it ${parts.filter(Boolean).join(' and ')}, ${consequence}`);
  }
}

let guarded: readonly Guarded[] | undefined;

/** Those that there were when it was asked first. */
function guardedObjects(): readonly Guarded[] {
  guarded ??= listGuarded();
  return guarded;
}

function listGuarded(): Guarded[] {
  const found = new Map<object, Guarded>();
  const add = (label: string, target: unknown, more: Partial<Guarded> = {}) => {
    if (!isObject(target) || found.has(target)) return;
    found.set(target, {
      label,
      target,
      isPrototype: false,
      isFunctionsOnly: false,
      ownKeys: new Set(ownKeys(target)),
      ...more,
    });
  };
  const addClass = (label: string, target: unknown, more: Partial<Guarded> = {}) => {
    if (typeof target !== 'function') return;
    add(label, target, more);
    add(`${label}.prototype`, target.prototype, { isPrototype: true, ...more });
  };
  // First, so that descriptors inherit what they should once the others are looked at.
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
  for (const [name, made] of Object.entries(hidden)) {
    const prototype = getPrototypeOf(made) as { prototype?: object };
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
  return [...found.values()];
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function isClass(value: unknown): boolean {
  return typeof value === 'function' && isObject(value.prototype) && ownKeys(value.prototype).length > 1;
}

function snapshotOf(one: Guarded): Before {
  const keys = ownKeys(one.target);
  const members: Record<PropertyKey, PropertyDescriptor | null> = Object.create(null);
  for (const key of keys) {
    const member = one.ownKeys.has(key) ? getOwnPropertyDescriptor(one.target, key) : undefined;
    members[key] = !one.isFunctionsOnly || typeof member?.value === 'function' || member?.get ? (member ?? null) : null;
  }
  return { ...one, keys, members, prototype: getPrototypeOf(one.target), isExtensible: isExtensible(one.target) };
}

/** Puts back one object. Gives what was changed of it, before `changes`. */
function undo(before: Before, changes: Change | undefined): Change | undefined {
  const { target, keys, members } = before;
  let found = changes;
  const note = (kind: Change['kind'], key: PropertyKey | undefined, isUndone: boolean) => {
    found = { kind, of: before, key, isUndone, next: found };
  };
  if (isExtensible(target) !== before.isExtensible) note('changes', undefined, false);
  if (getPrototypeOf(target) !== before.prototype) note('changes', undefined, setPrototypeOf(target, before.prototype));
  const now = ownKeys(target);
  for (let index = 0; index < now.length; index += 1) {
    const key = now[index] as PropertyKey;
    const kind = key in members ? undefined : additionOf(before, key);
    if (kind) note(kind, key, deleteProperty(target, key));
  }
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] as PropertyKey;
    const member = members[key];
    if (member && !isUnchanged(target, member, getOwnPropertyDescriptor(target, key)))
      note('changes', key, defineProperty(target, key, member));
  }
  return found;
}

/** As what a member counts that was not there; `undefined`: it may stay. */
function additionOf({ target, isPrototype, isFunctionsOnly, prototype }: Before, key: PropertyKey): Change['kind'] | undefined {
  if (isFunctionsOnly) return prototype !== null && key in prototype ? 'changes' : undefined;
  const isForAll = isPrototype && (prototype === null || getOwnPropertyDescriptor(target, key)?.enumerable === true);
  return isForAll ? 'adds' : undefined;
}

function isUnchanged(target: object, before: PropertyDescriptor, now: PropertyDescriptor | undefined): boolean {
  if (!now) return false;
  // Some of Node's own members are made at their first use, and take the place of what makes them.
  if (before.get && 'value' in now) return is(apply(before.get, target, []), now.value);
  return (
    is(before.value, now.value) &&
    before.get === now.get &&
    before.set === now.set &&
    before.writable === now.writable &&
    before.enumerable === now.enumerable &&
    before.configurable === now.configurable
  );
}

/** What a package is refused for, in order. */
function toldOf(changes: Change | undefined): Change[] {
  const told: Change[] = [];
  for (let change = changes; change; change = change.next) {
    const label = labelOf(change);
    if (!change.isUndone || !(replacedByLibraries.has(label) || webStreams.test(label))) told.unshift(change);
  }
  return told;
}

function labelOf({ of: { label, target }, key }: Change): string {
  if (key === undefined) return label;
  if (typeof key === 'symbol') return `${label}[${String(key)}]`;
  return target === globalThis ? String(key) : `${label}.${String(key)}`;
}

function listed(labels: readonly string[]): string {
  const more = labels.length > 5 ? `, and ${labels.length - 5} more` : '';
  return labels.slice(0, 5).join(', ') + more;
}
