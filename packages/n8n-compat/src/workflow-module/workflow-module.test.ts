import { describe, expect, test } from '@jest/globals';
import { toNodeError } from '../context/to-node-error.ts';
import { assertParamIsString } from './assertions.ts';
import { NodeApiError, NodeOperationError } from './errors.ts';
import { tryToParseNumber, tryToParseUrl, validateFieldType } from './field-values.ts';
import { deepCopy, jsonParse, jsonStringify } from './json.ts';
import { safeRegex } from './regular-expressions.ts';
import { sanitizeXmlName, setSafeObjectProperty, toPathSegment } from './safe-names.ts';
import { updateDisplayOptions } from './update-display-options.ts';
import { isObjectEmpty, isResourceLocatorValue } from './value-kinds.ts';
import { VersionedNodeType } from './versioned-node-type.ts';

const node = { name: 'Node' };

describe('errors', () => {
  test('of a node have a location, a description, and a cause', () => {
    const cause = new Error('why');
    const error = new NodeOperationError(node, cause, { itemIndex: 2, description: 'do this' });
    expect(error).toMatchObject({ message: 'why', description: 'do this', context: { itemIndex: 2 }, node, cause });
    expect(toNodeError(error)).toMatchObject({
      code: 'NODE_OPERATION_ERROR',
      message: 'why',
      itemIndex: 2,
      description: 'do this',
    });
  });

  test.each([
    [{ statusCode: 404, error: { message: 'gone' } }, '404', 'gone'],
    [{ message: 'failed', response: { status: 429, data: { errors: [{ message: 'slow' }, 'down'] } } }, '429', 'slow; down'],
    [{ message: 'no route', code: 'ECONNREFUSED' }, 'ECONNREFUSED', 'no route'],
  ])('of a service contain its message: %j', (response, httpCode, description) => {
    const error = new NodeApiError(node, response);
    expect([error.httpCode, error.description]).toEqual([httpCode, description]);
  });

  test('use their message', () => {
    const error = new NodeApiError(
      node,
      { statusCode: 404 },
      { message: 'No such person', description: 'Look again', httpCode: '410' },
    );
    expect(error).toMatchObject({ message: 'No such person', description: 'Look again', httpCode: '410' });
    expect(toNodeError(error)).toMatchObject({ code: 'NODE_API_ERROR', details: { status: 410 } });
  });

  test('of any other kind become node errors', () => {
    expect(toNodeError('text', 3)).toMatchObject({ message: 'text', itemIndex: 3 });
    expect(toNodeError({ message: 'm', status: 500 })).toMatchObject({ code: 'NODE_API_ERROR', details: { status: 500 } });
  });
});

describe('helpers', () => {
  test('JSON is parsed, leniently on request, or replaced by the fallback', () => {
    expect(jsonParse('{"a":1}')).toEqual({ a: 1 });
    expect(jsonParse("{a: 'it\\'s', b: [1,],}", { acceptJSObject: true })).toEqual({ a: "it's", b: [1] });
    expect(jsonParse('x', { fallbackValue: 3 })).toBe(3);
    const long = `{a: '${'x'.repeat(16_000_000)}'}`;
    expect(jsonParse(long, { acceptJSObject: true, fallbackValue: 'too long' })).toBe('too long');
    expect(() => jsonParse('x', { errorMessage: 'no JSON' })).toThrow('no JSON');
  });

  test('copies share nothing with the original, and cycles are marked', () => {
    const original: Record<string, unknown> = { at: new Date(0), list: [{ a: 1 }] };
    expect(deepCopy(original)).toEqual({ at: '1970-01-01T00:00:00.000Z', list: [{ a: 1 }] });
    original['self'] = original;
    expect(jsonStringify({ given: { self: original } }, { replaceCircularRefs: true })).toContain('[Circular Reference]');
  });

  test('display options are merged into those of a property', () => {
    const properties = [{ name: 'a', displayOptions: { show: { x: [1] }, hide: { y: [2] } } }];
    expect(updateDisplayOptions({ show: { z: [3] } }, properties)).toEqual([
      { name: 'a', displayOptions: { show: { x: [1], z: [3] }, hide: { y: [2] } } },
    ]);
  });

  test.each([
    ['my name', 'my_name'],
    ['1st', '_1st'],
    ['xmlThing', '_xmlThing'],
    ['', '_'],
  ])('text is converted to an XML name: %p', (name, safe) => {
    expect(sanitizeXmlName(name)).toBe(safe);
  });

  test('names that reach a prototype are ignored', () => {
    const target = {};
    setSafeObjectProperty(target, '__proto__', { polluted: true });
    setSafeObjectProperty(target, 'a', 1);
    expect([target, Object.getPrototypeOf(target)]).toEqual([{ a: 1 }, Object.prototype]);
  });

  test('values are validated and converted', () => {
    expect(tryToParseUrl('a.example/b')).toBe('https://a.example/b');
    expect(() => tryToParseUrl('nothing')).toThrow('not a valid url');
    expect(tryToParseNumber('7')).toBe(7);
    expect(toPathSegment('a/b')).toBe('a%2Fb');
    expect(() => toPathSegment('..')).toThrow('URL path segment');
    expect(() => safeRegex('(')).toThrow('not a regular expression');
    expect(validateFieldType('f', '1', 'number')).toEqual({ valid: true, newValue: 1 });
    expect(validateFieldType('f', 'x', 'number').valid).toBe(false);
    expect(() => assertParamIsString('p', 1)).toThrow('Parameter "p" is not string');
    expect([isObjectEmpty({}), isObjectEmpty([1]), isResourceLocatorValue({ __rl: true, mode: 'id', value: 1 })]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('a versioned type lists its versions', () => {
    const versions = { 1: { description: {} }, 2: { description: {} } } as never;
    expect(new VersionedNodeType(versions, {}).currentVersion).toBe(2);
    expect(new VersionedNodeType(versions, { defaultVersion: 1 }).getNodeType()).toBe(versions[1]);
  });
});
