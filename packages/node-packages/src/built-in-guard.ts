import { type Guarded, guardedObjects } from './guarded-objects.ts';
import { PackageError } from './package-error.ts';

/*
 * Packages share the process's built-ins with all other code. A package that replaces a built-in
 * while it loads could break other packages, which would be blamed for it, and could read data that
 * passes through. So the original is restored, and the package is rejected.
 *
 * Unnecessary changes by well-known libraries (`replacedByLibraries`) are undone, but are not a
 * reason for rejection: the libraries work without them. Members may be added to objects that are
 * not prototypes, because `reflect-metadata` and parts of `core-js` depend on that. Prototypes may
 * get members, except `Object.prototype`. An enumerable member (`BigInt.prototype.toJSON = …`)
 * becomes non-enumerable, so that it does not appear in loops over other objects. Members that the
 * language calls by itself on other code's values (`toJSON`, `then`, symbols) are removed.
 */

/**
 * Captured before any package runs. Only these functions are used until everything is restored,
 * because any other may have been replaced.
 */
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

interface Before extends Guarded {
  readonly keys: readonly PropertyKey[];
  /** An object without a prototype. `null`: a member that may change. */
  readonly members: Readonly<Record<PropertyKey, PropertyDescriptor | null>>;
  readonly prototype: object | null;
  readonly isExtensible: boolean;
}

/** A linked list, because the built-in arrays may have been changed. */
interface Change {
  readonly kind: 'adds' | 'changes';
  readonly of: Guarded;
  /** `undefined` for the object as a whole. */
  readonly key: PropertyKey | undefined;
  readonly isUndone: boolean;
  readonly next: Change | undefined;
}

/** Guards the built-ins that all code of the process shares, from their current state. */
export class BuiltInGuard {
  readonly #before: readonly Before[] = guardedObjects().map(snapshotOf);

  /**
   * Undoes all changes. Throws a `PackageError` that names the changes that well-known libraries do
   * not make.
   */
  restore(): void {
    let changes: Change | undefined;
    for (let index = 0; index < this.#before.length; index += 1) changes = undo(this.#before[index] as Before, changes);
    const rejected = rejectedOf(changes);
    const added = rejected.filter(({ kind }) => kind === 'adds').map(labelOf);
    const changed = rejected.filter(({ kind }) => kind === 'changes').map(labelOf);
    if (rejected.length === 0) return;
    const parts = [added.length > 0 && `adds ${listed(added)}`, changed.length > 0 && `changes ${listed(changed)}`];
    const isUndone = rejected.every((change) => change.isUndone);
    const consequence = `which ${isUndone ? 'would affect all code' : 'affects all code and cannot be undone'}`;
    throw new PackageError(`it ${parts.filter(Boolean).join(' and ')}, ${consequence}`);
  }
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

/** Restores one object. Returns its changes, prepended to `changes`. */
function undo(before: Before, changes: Change | undefined): Change | undefined {
  const { target, keys, members } = before;
  let change = changes;
  const note = (kind: Change['kind'], key: PropertyKey | undefined, isUndone: boolean) => {
    change = { kind, of: before, key, isUndone, next: change };
  };
  if (isExtensible(target) !== before.isExtensible) note('changes', undefined, false);
  if (getPrototypeOf(target) !== before.prototype) note('changes', undefined, setPrototypeOf(target, before.prototype));
  const now = ownKeys(target);
  for (let index = 0; index < now.length; index += 1) {
    const key = now[index] as PropertyKey;
    if (key in members) continue;
    const kind = additionOf(before, key);
    if (kind) note(kind, key, deleteProperty(target, key));
    else if (before.isPrototype && !before.isFunctionsOnly) contain(before, key);
  }
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] as PropertyKey;
    const member = members[key];
    if (member && !isUnchanged(target, member, getOwnPropertyDescriptor(target, key)))
      note('changes', key, defineProperty(target, key, member));
  }
  return change;
}

/** Classifies a new member; `undefined` if it may be kept. */
function additionOf({ target, isPrototype, isFunctionsOnly, prototype }: Before, key: PropertyKey): Change['kind'] | undefined {
  if (isFunctionsOnly) return prototype !== null && key in prototype ? 'changes' : undefined;
  const isForAll = isPrototype && prototype === null;
  const isFixed = isPrototype && getOwnPropertyDescriptor(target, key)?.configurable === false && isEnumerable(target, key);
  return isForAll || isFixed ? 'adds' : undefined;
}

/**
 * Limits the effect of a new prototype member on other code. `BigInt.prototype.toJSON` is kept:
 * without it, `JSON.stringify` throws.
 */
function contain({ target, label }: Before, key: PropertyKey): void {
  if (!isEnumerable(target, key)) return;
  const isCalled = typeof key === 'symbol' || key === 'toJSON' || key === 'then';
  if (isCalled && label !== 'BigInt.prototype') deleteProperty(target, key);
  else defineProperty(target, key, { enumerable: false });
}

function isEnumerable(target: object, key: PropertyKey): boolean {
  return getOwnPropertyDescriptor(target, key)?.enumerable === true;
}

function isUnchanged(target: object, before: PropertyDescriptor, now: PropertyDescriptor | undefined): boolean {
  if (!now) return false;
  // Node creates some members on first use, which replaces their getter.
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

/** The changes for which a package is rejected, in order. */
function rejectedOf(changes: Change | undefined): Change[] {
  const rejected: Change[] = [];
  for (let change = changes; change; change = change.next) {
    const label = labelOf(change);
    if (!change.isUndone || !(replacedByLibraries.has(label) || webStreams.test(label))) rejected.unshift(change);
  }
  return rejected;
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
