import fs from 'node:fs';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { BuiltInGuard } from './built-in-guard.ts';

let guard: BuiltInGuard;
beforeEach(() => {
  guard = new BuiltInGuard();
});
afterEach(() => guard.restore());

test('members added to all objects are named and removed', () => {
  Object.assign(Object.prototype, { polluted: 1 });
  expect(() => guard.restore()).toThrow('it adds Object.prototype.polluted, which would affect all code');
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test('members added to other prototypes are kept, but are not visible to loops over other objects', () => {
  Object.assign(BigInt.prototype, { toJSON: () => 'big' });
  Object.assign(Array.prototype, { second: 2 });
  expect(() => guard.restore()).not.toThrow();
  expect(JSON.stringify([1n])).toBe('["big"]');
  expect([Object.keys(Array.prototype), Reflect.get(Array.prototype, 'second')]).toEqual([[], 2]);
  Reflect.deleteProperty(BigInt.prototype, 'toJSON');
  Reflect.deleteProperty(Array.prototype, 'second');
});

test("added members that the language calls on other code's values are removed", () => {
  Object.assign(Array.prototype, { toJSON: () => 'list' });
  Reflect.set(Map.prototype, 'then', () => 'awaited');
  expect(() => guard.restore()).not.toThrow();
  expect([JSON.stringify([1]), 'then' in Map.prototype]).toEqual(['[1]', false]);
});

test('globals of compiler helpers can be replaced, even if they existed before any package', async () => {
  const helpers = globalThis as { __extends?: () => number };
  helpers.__extends = () => 1;
  try {
    await jest.isolateModulesAsync(async () => {
      const { BuiltInGuard: Guard } = await import('./built-in-guard.ts');
      const later = new Guard();
      helpers.__extends = () => 2;
      expect(() => later.restore()).not.toThrow();
    });
  } finally {
    Reflect.deleteProperty(globalThis, '__extends');
  }
});

test('non-enumerable members can be added, as polyfills do, but not to Object.prototype', () => {
  const add = (target: object) => Object.defineProperty(target, 'newer', { value: () => 1, configurable: true });
  add(Array.prototype);
  expect(() => guard.restore()).not.toThrow();
  expect(Reflect.deleteProperty(Array.prototype, 'newer')).toBe(true);
  add(Object.prototype);
  expect(() => guard.restore()).toThrow('it adds Object.prototype.newer, which');
});

test.each<[string, object, PropertyKey]>([
  ['Array.prototype.map', Array.prototype, 'map'],
  ['Array.prototype[Symbol(Symbol.iterator)]', Array.prototype, Symbol.iterator],
  ['JSON.stringify', JSON, 'stringify'],
  ['Object.keys', Object, 'keys'],
  ['Map.prototype.get', Map.prototype, 'get'],
  ['Date.now', Date, 'now'],
  ['Promise', globalThis, 'Promise'],
  ['Promise.prototype.then', Promise.prototype, 'then'],
  ['fetch', globalThis, 'fetch'],
  ['setTimeout', globalThis, 'setTimeout'],
  ['process.nextTick', process, 'nextTick'],
  ['fs.readFileSync', process.getBuiltinModule('node:fs'), 'readFileSync'],
  ['fs.promises.readFile', process.getBuiltinModule('node:fs/promises'), 'readFile'],
  ['http.request', process.getBuiltinModule('node:http'), 'request'],
  ['http.Agent.prototype.createConnection', process.getBuiltinModule('node:http').Agent.prototype, 'createConnection'],
  ['module._load', process.getBuiltinModule('node:module'), '_load'],
  ['Reflect.ownKeys', Reflect, 'ownKeys'],
])('a replaced member is named and restored: %s', (label, target, key) => {
  const before = Reflect.getOwnPropertyDescriptor(target, key);
  Reflect.defineProperty(target, key, { ...before, value: () => [] });
  let thrown: unknown;
  try {
    guard.restore();
  } catch (error) {
    thrown = error;
  }
  expect(Reflect.getOwnPropertyDescriptor(target, key)).toEqual(before);
  expect(thrown).toMatchObject({ message: `it changes ${label}, which would affect all code` });
});

test('members that descriptors would inherit are removed first', () => {
  const { map } = Array.prototype;
  Array.prototype.map = () => [];
  Object.assign(Object.prototype, { get: () => 1, value: 5 });
  expect(() => guard.restore()).toThrow(
    'it adds Object.prototype.get, Object.prototype.value and changes Array.prototype.map, which would affect all code',
  );
  expect([Array.prototype.map === map, Object.keys(Object.prototype)]).toEqual([true, []]);
});

test('removed members and changed prototypes are restored', () => {
  Reflect.deleteProperty(Array.prototype, 'flat');
  Object.setPrototypeOf(Map.prototype, { get: () => 'caught' });
  expect(() => guard.restore()).toThrow('it changes Array.prototype.flat, Map.prototype, which would affect all code');
  expect([[[1]].flat(), Object.getPrototypeOf(Map.prototype)]).toEqual([[1], Object.prototype]);
});

test('members that hide an inherited function of the process are removed; well-known libraries may add them', () => {
  // A library in another test file may have replaced it already. Without `emit`, this process gets
  // no more messages.
  const own = Object.getOwnPropertyDescriptor(process, 'emit');
  Reflect.deleteProperty(process, 'emit');
  const { emit } = process;
  const next = new BuiltInGuard();
  try {
    process.emit = () => false;
    expect(() => next.restore()).not.toThrow();
    expect(process.emit).toBe(emit);
  } finally {
    Reflect.deleteProperty(process, 'emit');
    if (own) Object.defineProperty(process, 'emit', own);
  }
});

test('replacements by well-known libraries are undone and tolerated', () => {
  const { close } = fs;
  fs.close = (() => undefined) as never;
  Function.prototype.toString = () => 'core-js';
  Error.prepareStackTrace = () => 'source-map-support';
  expect(() => guard.restore()).not.toThrow();
  expect([fs.close, `${close}`.startsWith('function'), typeof new Error('x').stack]).toEqual([close, true, 'string']);
});

test('members can be added to objects that are not prototypes, and module data may change', () => {
  Object.assign(Reflect, { metadata: () => 1 });
  Object.assign(globalThis, { addedByAPackage: {} });
  process.title = 'other';
  expect(() => guard.restore()).not.toThrow();
  expect(Reflect).toHaveProperty('metadata');
  const next = new BuiltInGuard();
  Object.assign(Reflect, { metadata: () => 2 });
  expect(() => next.restore()).not.toThrow();
  Reflect.deleteProperty(Reflect, 'metadata');
  Reflect.deleteProperty(globalThis, 'addedByAPackage');
});
