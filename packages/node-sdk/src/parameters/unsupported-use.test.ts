import { expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { type UnsupportedUse, unsupportedUsesOf } from './unsupported-use.ts';

const words = { what: 'it', hint: 'Leave it' };
const byValue: UnsupportedUse = { parameter: 'operation', values: ['delete', 'purge'], ...words };
const byPresence: UnsupportedUse = { parameter: 'options.raw', ...words };
const inPlace: UnsupportedUse = { parameter: 'auth', values: ['users'], where: { resume: ['webhook'] }, ...words };

test.each<[string, UnsupportedUse, JsonObject, boolean]>([
  ['one of the values', byValue, { operation: 'purge' }, true],
  ['another value', byValue, { operation: 'send' }, false],
  ['no value', byValue, {}, false],
  ['an expression, which only a run can evaluate', byValue, { operation: '={{ "purge" }}' }, false],
  ['something', byPresence, { options: { raw: true } }, true],
  ['nothing', byPresence, { options: { raw: '' } }, false],
  ['an empty list, even as a string', byPresence, { options: { raw: '[]' } }, false],
  ['a path through a string', byPresence, { options: 'raw' }, false],
  ['the value, in its place', inPlace, { auth: 'users', resume: 'webhook' }, true],
  ['the value, elsewhere', inPlace, { auth: 'users', resume: 'form' }, false],
])('a use with %s is recognized correctly: %#', (_, use, parameters, isUnsupported) => {
  expect(unsupportedUsesOf([use], parameters)).toEqual(isUnsupported ? [use] : []);
});
