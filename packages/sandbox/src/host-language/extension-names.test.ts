import { expect, test } from '@jest/globals';
import { extensionNames } from '@sluice/expressions';
import { arrayMethods } from '../guest/array-methods.ts';
import { numberMethods } from '../guest/number-methods.ts';
import { stringMethods } from '../guest/string-methods.ts';

test.each([
  ['string', stringMethods],
  ['number', numberMethods],
  ['array', arrayMethods],
] as const)('the host knows which methods the guest has on a %s', (kind, methods) => {
  expect(extensionNames[kind].toSorted()).toEqual(Object.keys(methods).toSorted());
});
