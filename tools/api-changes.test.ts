import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { type ApiDocument, findBreakingChanges, findUnnamed } from './api-changes.ts';

interface Parts {
  query?: Record<string, JsonObject & { required?: boolean }>;
  body?: JsonObject;
  reply?: JsonObject;
  components?: JsonObject;
  scope?: string;
  operationId?: string;
  status?: string;
  bodyRequired?: boolean;
}

function aDocument(parts: Parts = {}): ApiDocument {
  const {
    query = {},
    body,
    reply = {},
    components = {},
    scope = 'workflow:read',
    operationId = 'doThing',
    status = '200',
  } = parts;
  const parameters = Object.entries(query).map(([name, { required = false, ...schema }]) => ({
    name,
    in: 'query',
    required,
    schema,
  }));
  const operation = {
    operationId,
    'x-required-scope': scope,
    parameters,
    ...(body && { requestBody: { required: parts.bodyRequired ?? true, content: { 'application/json': { schema: body } } } }),
    responses: {
      [status]: { content: { 'application/json': { schema: reply } } },
      400: { $ref: '#/components/responses/Bad' },
    },
  };
  return { paths: { '/things': { post: operation } }, components: { schemas: components } };
}

const object = (properties: JsonObject, required: string[] = []): JsonObject => ({ type: 'object', properties, required });
const text = { type: 'string' };
const changesBetween = (before: Parts, after: Parts) =>
  findBreakingChanges(aDocument(before), aDocument(after)).map(({ change }) => change);

describe('changes that break clients', () => {
  const breaking: [string, Parts, Parts, string][] = [
    ['a different scope', {}, { scope: 'workflow:update' }, 'requires the scope workflow:update instead of workflow:read'],
    ['a different operation ID', {}, { operationId: 'doIt' }, 'was renamed to doIt'],
    ['a removed parameter', { query: { a: text } }, {}, 'the parameter a was removed'],
    ['a new required parameter', {}, { query: { a: { ...text, required: true } } }, 'the parameter a is required'],
    [
      'a lower maximum',
      { query: { a: { type: 'integer', maximum: 9 } } },
      { query: { a: { type: 'integer', maximum: 8 } } },
      'the parameter a: the root has a different maximum',
    ],
    ['a body that becomes required', { body: text, bodyRequired: false }, { body: text }, 'the body: a body is required'],
    ['a removed body', { body: text }, {}, 'no longer accepts a body'],
    [
      'a new required property',
      { body: object({}) },
      { body: object({ a: text }, ['a']) },
      'the body: the root requires a on one side only',
    ],
    ['a removed property of a body', { body: object({ a: text }) }, { body: object({}) }, 'the body: /a was removed'],
    [
      'a removed enum value',
      { body: object({ a: { enum: ['x', 'y'] } }) },
      { body: object({ a: { enum: ['x'] } }) },
      'the body: /a allows "y" on one side only',
    ],
    [
      'null that is no longer accepted',
      { body: object({ a: { type: ['string', 'null'] } }) },
      { body: object({ a: text }) },
      'the body: /a allows the type null on one side only',
    ],
    [
      'a new pattern',
      { body: object({ a: text }) },
      { body: object({ a: { ...text, pattern: 'x' } }) },
      'the body: /a has a different pattern',
    ],
    ['a different status', {}, { status: '201' }, 'no longer returns 200'],
    [
      'a removed property of a response',
      { reply: object({ a: text }) },
      { reply: object({}) },
      'the response 200: /a was removed',
    ],
    [
      'a response property that becomes optional',
      { reply: object({ a: text }, ['a']) },
      { reply: object({ a: text }) },
      'the response 200: the root requires a on one side only',
    ],
    [
      'a new null in a response',
      { reply: object({ a: text }) },
      { reply: object({ a: { type: ['string', 'null'] } }) },
      'the response 200: /a allows the type null on one side only',
    ],
    [
      'a new enum value in a response',
      { reply: object({ a: { enum: ['x'] } }) },
      { reply: object({ a: { enum: ['x', 'y'] } }) },
      'the response 200: /a allows "y" on one side only',
    ],
    [
      'an unrestricted property that gets alternatives',
      { body: object({ a: {} }) },
      { body: object({ a: { anyOf: [{ type: 'number' }, { type: 'null' }] } }) },
      'the body: /a has different alternatives',
    ],
    [
      'an additional condition of a body',
      { body: object({ a: {} }) },
      { body: object({ a: { allOf: [{ required: ['x'] }] } }) },
      'the body: /a has more conditions',
    ],
  ];
  test.each(breaking)('%s', (_, before, after, expected) => {
    expect(changesBetween(before, after)).toEqual([expected]);
  });

  test('a removed operation', () => {
    const changes = findBreakingChanges(aDocument(), { paths: {} });
    expect(changes).toEqual([{ operationId: 'doThing', change: 'POST /things was removed' }]);
  });

  test('detects changes in referenced schemas at any depth, even if a schema contains itself', () => {
    const tree = (leaf: JsonObject): JsonObject => ({ Tree: object({ leaf, next: { $ref: '#/components/schemas/Tree' } }) });
    const reply = { type: 'array', items: { $ref: '#/components/schemas/Tree' } };
    expect(changesBetween({ reply, components: tree(text) }, { reply, components: tree({ type: 'number' }) })).toEqual([
      'the response 200: /*/leaf allows the type number on one side only',
    ]);
  });
});

describe('compatible changes', () => {
  const harmless: [string, Parts, Parts][] = [
    ['no change', { body: object({ a: text }) }, { body: object({ a: text }) }],
    ['a new optional parameter', {}, { query: { a: text } }],
    ['a new optional property of a body', { body: object({}) }, { body: object({ a: text }) }],
    ['a property of a body that becomes optional', { body: object({ a: text }, ['a']) }, { body: object({ a: text }) }],
    ['a new enum value in a body', { body: object({ a: { enum: ['x'] } }) }, { body: object({ a: { enum: ['x', 'y'] } }) }],
    ['a higher maximum', { body: { type: 'number', maximum: 1 } }, { body: { type: 'number', maximum: 2 } }],
    ['a new property of a response', { reply: object({}) }, { reply: object({ a: text }, ['a']) }],
    ['a number in a response that becomes an integer', { reply: { type: 'number' } }, { reply: { type: 'integer' } }],
    [
      'a schema that becomes a named component',
      { reply: object({ a: text }) },
      { reply: { $ref: '#/components/schemas/A' }, components: { A: object({ a: text }) } },
    ],
    ['a different description', { reply: text }, { reply: { ...text, description: 'a text' } }],
  ];
  test.each(harmless)('%s', (_, before, after) => {
    expect(changesBetween(before, after)).toEqual([]);
  });
});

describe('findUnnamed', () => {
  const changes = [{ operationId: 'doThing', change: 'was removed' }];
  test.each([
    ['one names the operation', ['Faster.', '`doThing` was removed.'], []],
    ['one names another operation', ['`doThings` was removed.'], changes],
    ['there are no changesets', [], changes],
  ])('if %s', (_, summaries, expected) => {
    expect(findUnnamed(changes, summaries)).toEqual(expected);
  });
});
