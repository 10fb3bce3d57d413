import { ExpressionFailure } from './failures.ts';
import { refusal } from './messages.ts';

/**
 * Makes access to constructors and prototypes fail with an error in expressions, even by computed
 * names, as authors expect. This is not a security measure: the guest is discarded after the call.
 */
export function refuseInternals(): void {
  const makers = [() => {}, function* () {}, async () => {}, async function* () {}];
  for (const maker of makers) refuse(Object.getPrototypeOf(maker), 'constructor');
  for (const name of ['__proto__', '__defineGetter__', '__defineSetter__', '__lookupGetter__', '__lookupSetter__']) {
    refuse(Object.prototype, name);
  }
  for (const name of ['eval', 'Function']) refuse(globalThis, name);
  for (const holder of [Object, Reflect]) {
    refuse(holder, 'getPrototypeOf');
    refuse(holder, 'setPrototypeOf');
  }
}

function refuse(holder: object, name: string): void {
  const fail = () => {
    throw new ExpressionFailure(refusal(name));
  };
  Object.defineProperty(holder, name, { get: fail, set: fail, configurable: false });
}
