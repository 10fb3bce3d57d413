import { BaseError } from './errors.ts';

interface ParseOptions {
  /** Accepts JavaScript quotes and keys. */
  acceptJSObject?: boolean;
  repairJSON?: boolean;
  errorMessage?: string;
  fallbackValue?: unknown;
}

/**
 * Parses JSON. Returns `fallbackValue`, a value or a function that returns one, for invalid text;
 * otherwise throws, with `errorMessage` if given.
 */
export function jsonParse(text: string, options: ParseOptions = {}): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const looser = options.acceptJSObject || options.repairJSON ? looselyParsed(text) : undefined;
    if (looser !== undefined) return looser.value;
    const { fallbackValue, errorMessage } = options;
    if (fallbackValue !== undefined) return typeof fallbackValue === 'function' ? fallbackValue() : fallbackValue;
    throw errorMessage === undefined ? error : new BaseError(errorMessage, { cause: error, level: 'warning' });
  }
}

/**
 * Maximum length of a hand-written object, in characters: parsing it blocks the event loop for 0.1
 * s.
 */
const maxLooseLength = 256 * 1024;

/**
 * Parses hand-written objects: unquoted keys, single quotes, trailing commas. Nothing is evaluated.
 */
function looselyParsed(text: string): { value: unknown } | undefined {
  if (text.length > maxLooseLength) return undefined;
  const json = text.replace(
    /"(?:[^"\\]|\\.)*"|'((?:[^'\\]|\\.)*)'|["'][\s\S]*|(?<![\w$])([A-Za-z_$][\w$]*)(?=\s*:)|,(?=\s*[}\]])/g,
    (match: string, single: string | undefined, key: string | undefined) => {
      if (single !== undefined) return JSON.stringify(single.replace(/\\'/g, "'"));
      if (key !== undefined) return JSON.stringify(key);
      return match.startsWith(',') ? '' : match;
    },
  );
  try {
    return { value: JSON.parse(json) };
  } catch {
    return undefined;
  }
}

/** Writes JSON. `replaceCircularRefs` replaces values that contain themselves with a marker. */
export function jsonStringify(value: unknown, { replaceCircularRefs = false }: { replaceCircularRefs?: boolean } = {}): string {
  return JSON.stringify(replaceCircularRefs ? removeCircularRefs(value) : value);
}

/** A copy with a marker in place of each value that contains itself. */
export function removeCircularRefs(value: unknown, within: readonly unknown[] = []): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (within.includes(value)) return '[Circular Reference]';
  if ('toJSON' in value && typeof value.toJSON === 'function') return value.toJSON();
  const inner = [...within, value];
  if (Array.isArray(value)) return value.map((element) => removeCircularRefs(element, inner));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, removeCircularRefs(member, inner)]));
}

/** A deep copy of plain data; objects with `toJSON` become its result. */
export function deepCopy(value: unknown, seen = new Map<object, unknown>()): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date || ('toJSON' in value && typeof value.toJSON === 'function')) {
    return (value as { toJSON(): unknown }).toJSON();
  }
  const existingCopy = seen.get(value);
  if (existingCopy !== undefined) return existingCopy;
  if (Array.isArray(value)) {
    const copy: unknown[] = [];
    seen.set(value, copy);
    for (const element of value) copy.push(deepCopy(element, seen));
    return copy;
  }
  const copy = Object.create(Object.getPrototypeOf(value)) as Record<string, unknown>;
  seen.set(value, copy);
  for (const key of Object.keys(value)) {
    const member = deepCopy((value as Record<string, unknown>)[key], seen);
    // Assigns where that defines a member, because it is far faster.
    if (key in copy) Object.defineProperty(copy, key, { value: member, enumerable: true, configurable: true, writable: true });
    else copy[key] = member;
  }
  return copy;
}
