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
const whatOf = (before: Parts, after: Parts) =>
  findBreakingChanges(aDocument(before), aDocument(after)).map(({ what }) => what);

describe('changes that break clients', () => {
  const breaking: [string, Parts, Parts, string][] = [
    ['another scope', {}, { scope: 'workflow:update' }, 'needs the scope workflow:update, not workflow:read'],
    ['another name', {}, { operationId: 'doIt' }, 'is called doIt now'],
    ['a parameter less', { query: { a: text } }, {}, 'the parameter a is gone'],
    ['a new parameter that is required', {}, { query: { a: { ...text, required: true } } }, 'the parameter a is required'],
    [
      'a lower maximum',
      { query: { a: { type: 'integer', maximum: 9 } } },
      { query: { a: { type: 'integer', maximum: 8 } } },
      'the parameter a: the whole has another maximum',
    ],
    ['a body that is required', { body: text, bodyRequired: false }, { body: text }, 'the body: a body is required'],
    ['no body any more', { body: text }, {}, 'takes no body any more'],
    [
      'a new property that is required',
      { body: object({}) },
      { body: object({ a: text }, ['a']) },
      'the body: the whole requires a on one side only',
    ],
    ['a property of a body less', { body: object({ a: text }) }, { body: object({}) }, 'the body: /a is gone'],
    [
      'a value less',
      { body: object({ a: { enum: ['x', 'y'] } }) },
      { body: object({ a: { enum: ['x'] } }) },
      'the body: /a is "y" on one side only',
    ],
    [
      'null no longer taken',
      { body: object({ a: { type: ['string', 'null'] } }) },
      { body: object({ a: text }) },
      'the body: /a is of type null on one side only',
    ],
    [
      'a pattern',
      { body: object({ a: text }) },
      { body: object({ a: { ...text, pattern: 'x' } }) },
      'the body: /a has another pattern',
    ],
    ['another status', {}, { status: '201' }, 'no longer returns 200'],
    ['a property of a response less', { reply: object({ a: text }) }, { reply: object({}) }, 'the response 200: /a is gone'],
    [
      'a property that may be missing',
      { reply: object({ a: text }, ['a']) },
      { reply: object({ a: text }) },
      'the response 200: the whole requires a on one side only',
    ],
    [
      'null in a response',
      { reply: object({ a: text }) },
      { reply: object({ a: { type: ['string', 'null'] } }) },
      'the response 200: /a is of type null on one side only',
    ],
    [
      'a new value in a response',
      { reply: object({ a: { enum: ['x'] } }) },
      { reply: object({ a: { enum: ['x', 'y'] } }) },
      'the response 200: /a is "y" on one side only',
    ],
    [
      'a body of any kind that becomes one of several',
      { body: object({ a: {} }) },
      { body: object({ a: { anyOf: [{ type: 'number' }, { type: 'null' }] } }) },
      'the body: /a has other alternatives',
    ],
    [
      'a further condition of a body',
      { body: object({ a: {} }) },
      { body: object({ a: { allOf: [{ required: ['x'] }] } }) },
      'the body: /a has more conditions',
    ],
  ];
  test.each(breaking)('%s', (_, before, after, expected) => {
    expect(whatOf(before, after)).toEqual([expected]);
  });

  test('an operation less', () => {
    const changes = findBreakingChanges(aDocument(), { paths: {} });
    expect(changes).toEqual([{ operationId: 'doThing', what: 'POST /things is gone' }]);
  });

  test('detects a change in referenced schemas, at any depth, also if a schema contains itself', () => {
    const tree = (leaf: JsonObject): JsonObject => ({ Tree: object({ leaf, next: { $ref: '#/components/schemas/Tree' } }) });
    const reply = { type: 'array', items: { $ref: '#/components/schemas/Tree' } };
    expect(whatOf({ reply, components: tree(text) }, { reply, components: tree({ type: 'number' }) })).toEqual([
      'the response 200: /*/leaf is of type number on one side only',
    ]);
  });
});

describe('compatible changes', () => {
  const harmless: [string, Parts, Parts][] = [
    ['nothing', { body: object({ a: text }) }, { body: object({ a: text }) }],
    ['an optional parameter', {}, { query: { a: text } }],
    ['an optional property of a body', { body: object({}) }, { body: object({ a: text }) }],
    ['a property that need not be sent any more', { body: object({ a: text }, ['a']) }, { body: object({ a: text }) }],
    ['a value more to send', { body: object({ a: { enum: ['x'] } }) }, { body: object({ a: { enum: ['x', 'y'] } }) }],
    ['a higher maximum', { body: { type: 'number', maximum: 1 } }, { body: { type: 'number', maximum: 2 } }],
    ['a property more in a response', { reply: object({}) }, { reply: object({ a: text }, ['a']) }],
    ['a whole number where a number was', { reply: { type: 'number' } }, { reply: { type: 'integer' } }],
    [
      'a schema that has got a name',
      { reply: object({ a: text }) },
      { reply: { $ref: '#/components/schemas/A' }, components: { A: object({ a: text }) } },
    ],
    ['another description', { reply: text }, { reply: { ...text, description: 'what it is' } }],
  ];
  test.each(harmless)('%s', (_, before, after) => {
    expect(whatOf(before, after)).toEqual([]);
  });
});

describe('findUnnamed', () => {
  const changes = [{ operationId: 'doThing', what: 'is gone' }];
  test.each([
    ['one names the operation', ['Faster.', '`doThing` is gone.'], []],
    ['one names another operation', ['`doThings` is gone.'], changes],
    ['there are none', [], changes],
  ])('changesets: %s', (_, summaries, expected) => {
    expect(findUnnamed(changes, summaries)).toEqual(expected);
  });
});
