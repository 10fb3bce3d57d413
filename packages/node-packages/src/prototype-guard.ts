import { PackageError } from './package-error.ts';

const builtIns = [
  Object,
  Function,
  Array,
  String,
  Number,
  Boolean,
  Symbol,
  BigInt,
  Date,
  RegExp,
  Promise,
  Map,
  Set,
  WeakMap,
  WeakSet,
  Error,
  ArrayBuffer,
  Uint8Array,
] as const;

/** Sees to what everybody's objects inherit: a member more that loops find would be found by all code of the process. */
export class PrototypeGuard {
  readonly #before = builtIns.map(({ prototype }) => new Set(Object.keys(prototype)));

  /** Takes away what has been added since. Throws `PackageError` that names it where anything has. */
  restore(): void {
    const added = builtIns.flatMap(({ name, prototype }, index) =>
      Object.keys(prototype)
        .filter((key) => !this.#before[index]?.has(key))
        .map((key) => {
          Reflect.deleteProperty(prototype, key);
          return `${name}.prototype.${key}`;
        }),
    );
    if (added.length > 0) throw new PackageError(`it adds ${added.slice(0, 5).join(', ')}, which all code would see`);
  }
}
