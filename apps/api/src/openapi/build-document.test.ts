import { describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import { openApiDocument, routes } from '../routes.ts';
import type { MediaType, Operation, Parameter } from './document.ts';
import { documentPath } from './parameters.ts';

const document = openApiDocument();
const operations = Object.values(document.paths).flatMap((item) => Object.values(item) as Operation[]);
const mediaTypes = operations.flatMap(({ operationId, requestBody, responses }) => {
  const received = Object.entries(responses).map(([status, it]) => [`${operationId} ${status}`, resolved(it)] as const);
  const bodies = requestBody ? [[`${operationId} request`, requestBody] as const] : [];
  return [...bodies, ...received].flatMap(([name, { content = {} }]) =>
    Object.values(content).map((media) => [name, media] as const),
  );
});

function resolved<T extends object>(it: T | { $ref: string }): Exclude<T, { $ref: string }> {
  if (!('$ref' in it)) return it as Exclude<T, { $ref: string }>;
  const path = it.$ref.slice(2).split('/');
  return path.reduce<unknown>((at, key) => (at as JsonObject)[key], document) as Exclude<T, { $ref: string }>;
}

function referencesIn(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, it]) => (key === '$ref' ? [String(it)] : referencesIn(it)));
}

describe('the document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document) as unknown as Record<string, unknown>);
    expect(errors).toBeUndefined();
    expect([valid, validator.version]).toEqual([true, '3.1']);
  });

  test('has the name, the scope, and every response of each route', () => {
    for (const route of routes) {
      const operation = document.paths[documentPath(route.path)]?.[route.method];
      expect(operation).toMatchObject({
        operationId: route.operationId,
        'x-required-scope': route.scope,
      });
      expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(Object.keys(route.responses)));
    }
    expect(operations).toHaveLength(routes.length + 1);
  });

  test('requires the key for every operation except the document and the sign-in', () => {
    const open = operations.filter(({ security }) => security.length === 0).map(({ operationId }) => operationId);
    expect(open).toEqual(['createSession', 'getOpenApiDocument']);
  });

  test('defines every component that it refers to, and has no unused component', () => {
    const references = new Set(referencesIn(document as unknown as JsonObject));
    const { schemas, responses, headers } = document.components;
    const components = Object.entries({ schemas, responses, headers }).flatMap(([kind, all]) =>
      Object.keys(all).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...references].sort()).toEqual(components.sort());
  });

  test('describes each tag', () => {
    expect(document.tags.filter(({ name, description }) => name !== 'meta' && description.startsWith('About'))).toEqual([]);
  });

  test('does not require properties with a default', () => {
    expect(document.components.schemas['CreateCredentialBody']?.['required']).toEqual(['name', 'type', 'data']);
  });
});

describe('parameters and headers of the document', () => {
  const parameters = Object.entries(document.paths).flatMap(([path, item]) =>
    (Object.entries(item) as [string, Operation][]).flatMap(([method, { parameters: operationParameters = [] }]) =>
      operationParameters.map(
        (parameter: Parameter) => [`${method} ${path} ${parameter.in} ${parameter.name}`, parameter] as const,
      ),
    ),
  );
  const headers = [
    ...Object.values(document.components.responses),
    ...operations.flatMap(({ responses }) => Object.values(responses)),
  ]
    .flatMap((response) => Object.entries(resolved(response).headers ?? {}))
    .map(([name, header]) => [name, resolved(header)] as const);

  test.each(parameters)(
    '%s has a description and a valid example or default',
    (_, { in: place, description, example, schema }) => {
      expect(description).toMatch(/../);
      expect(example === undefined).toBe(place !== 'path');
      const [sample = schema['default']] = (schema['examples'] as JsonValue[] | undefined) ?? [example];
      const validate = new Ajv({ strict: false, formats: { instant: true, 'execution-id': true } }).compile(schema);
      expect([sample === undefined, validate(sample), validate.errors]).toEqual([false, true, null]);
    },
  );

  test('of responses have a description and an example', () => {
    expect(headers.length).toBeGreaterThan(0);
    for (const [name, { description, example }] of headers) {
      expect([name, description, example]).toEqual([name, expect.stringMatching(/../), expect.anything()]);
    }
  });
});

const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema({ $id: 'document', components: { schemas: document.components.schemas } } as object);
/** A validator for a schema that refers to components of the document. */
const validatorOf = (schema: JsonObject) =>
  ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components')));

test('every 400 response of an operation has details, each with a path and a message', () => {
  const badRequests = mediaTypes.filter(([name]) => name.endsWith(' 400'));
  expect(badRequests.length).toBeGreaterThan(50);
  const issue = { path: '/name', message: 'is required' };
  for (const [name, { schema }] of badRequests) {
    const validate = validatorOf(schema);
    const accepts = (details?: JsonValue) => validate({ message: 'm', code: 'VALIDATION_ERROR', requestId: 'r', details });
    const refused = [undefined, [], [{ path: '/name' }], [{ message: 'is required' }]];
    expect([name, accepts([issue]), refused.filter(accepts)]).toEqual([name, true, []]);
  }
});

describe('the examples of the document', () => {
  const examplesOf = ({ example, examples = {} }: MediaType) => [
    ...(example === undefined ? [] : [example]),
    ...Object.values(examples).map(({ value }) => value),
  ];

  test.each(mediaTypes)('%s has a valid example', (_, media) => {
    const examples = examplesOf(media);
    expect(examples).not.toEqual([]);
    const validate = validatorOf(media.schema);
    for (const example of examples) {
      validate(example);
      expect(validate.errors).toBeNull();
    }
  });
});
