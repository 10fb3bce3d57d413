import type { FileAccess } from './binary-data.ts';
import { bufferClass } from './buffer.ts';
import { crypto } from './crypto.ts';
import { luxon } from './dates.ts';
import { defineLazily } from './define.ts';
import { defineAll } from './language.ts';
import { structuredClone } from './structured-clone.ts';
import { TextDecoder, TextEncoder } from './text-coders.ts';
import { Timers } from './timers.ts';

const network = 'is not available: user code has no network. Use an HTTP Request node';

/** Names from other environments, with the message for authors. */
const refused = new Map([
  ['fetch', network],
  ['XMLHttpRequest', network],
  ['WebSocket', network],
  ['axios', network],
]);
/** The modules that `require` supports, each with the names that the language already has. */
const modules: Record<string, () => unknown> = {
  buffer: () => ({ Buffer: bufferClass() }),
  crypto: () => crypto,
  luxon,
  url: () => ({ URL, URLSearchParams }),
};

const refusedHelpers = 'is not available: user code has no network. Use the nodes for it';

/** The timers of a call; none is set in snapshots. */
export const timers = new Timers();

/** Globals of user code beyond the expression language that are the same in all calls. */
const codeGlobals = {
  crypto,
  structuredClone,
  TextEncoder,
  TextDecoder,
  ...refusals(),
  require: load,
  ...timers.globals(),
};

export function defineCodeGlobals(): void {
  defineLazily({ Buffer: bufferClass });
  defineAll(codeGlobals);
}

/** Expressions do not have these globals. */
export function removeCodeGlobals(): void {
  for (const name of ['Buffer', ...Object.keys(codeGlobals)]) Reflect.deleteProperty(globalThis, name);
}

export function defineHelpers(files: FileAccess): void {
  const helpers = helpersOf(files);
  defineAll({ helpers, $helpers: helpers });
}

function load(name: unknown): unknown {
  const moduleName = String(name).replace(/^node:/, '');
  if (Object.hasOwn(modules, moduleName)) return modules[moduleName]?.();
  throw new Error(`require() supports only ${Object.keys(modules).join(', ')}, not "${String(name)}"`);
}

function refusals(): Record<string, unknown> {
  const entries = [...refused].map(([name, reason]) => {
    const refuse = () => {
      throw new Error(`${name} ${reason}`);
    };
    return [name, refuse] as const;
  });
  return Object.fromEntries(entries);
}

function helpersOf(files: FileAccess): unknown {
  const helpers: Record<string, unknown> = { ...files.helpers(), normalizeItems, returnJsonArray };
  return new Proxy(helpers, {
    get: (_, name) => {
      if (typeof name === 'string' && Object.hasOwn(helpers, name)) return helpers[name];
      throw new Error(`this.helpers.${String(name)} ${refusedHelpers}`);
    },
  });
}

/** Converts one or more objects to items. */
function returnJsonArray(data: unknown): unknown[] {
  return [data].flat().map((value) => (hasMember(value, 'json') ? { ...value } : { json: value }));
}

/** Converts one or more objects or items to items. */
function normalizeItems(data: unknown): unknown[] {
  const items = [data].flat();
  const isItem = (value: unknown) => hasMember(value, 'json') || hasMember(value, 'binary');
  if (items.every(isItem)) return items;
  if (items.some(isItem)) throw new Error('items and plain objects cannot be mixed');
  return returnJsonArray(items);
}

function hasMember(value: unknown, name: string): value is object {
  return typeof value === 'object' && value !== null && name in value;
}
