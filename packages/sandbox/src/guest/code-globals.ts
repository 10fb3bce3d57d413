import type { FileAccess } from './binary-data.ts';
import { bufferClass } from './buffer.ts';
import { crypto } from './crypto.ts';
import { luxon } from './dates.ts';
import { defineLazily } from './define.ts';
import { defineAll } from './language.ts';
import { structuredClone } from './structured-clone.ts';
import { TextDecoder, TextEncoder } from './text-coders.ts';

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

/** Defines the globals of user code beyond the expression language. */
export function defineCodeGlobals(files: FileAccess): void {
  defineLazily({ Buffer: bufferClass });
  const helpers = helpersOf(files);
  defineAll({ crypto, structuredClone, TextEncoder, TextDecoder, ...refusals(), require: load, helpers, $helpers: helpers });
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
