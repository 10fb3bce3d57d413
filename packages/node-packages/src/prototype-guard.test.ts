import { expect, test } from '@jest/globals';
import { PrototypeGuard } from './prototype-guard.ts';

test('what is added to all objects or lists is named and taken away', () => {
  const guard = new PrototypeGuard();
  Object.assign(Array.prototype, { evil: 1 });
  Object.assign(Object.prototype, { polluted: 1 });
  expect(() => guard.restore()).toThrow('it adds Object.prototype.polluted, Array.prototype.evil, which all code would see');
  expect([Object.keys(Array.prototype), Object.keys(Object.prototype)]).toEqual([[], []]);
});

test('members that no loop finds may be added, as those do that stand in for newer ones', () => {
  const guard = new PrototypeGuard();
  Object.defineProperty(Array.prototype, 'newer', { value: () => 1, configurable: true });
  expect(() => guard.restore()).not.toThrow();
  Reflect.deleteProperty(Array.prototype, 'newer');
});
