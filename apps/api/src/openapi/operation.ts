import type { EndpointScope, Route } from '../http/route/define-route.ts';
import type { Components, Operation } from './document.ts';
import { errorCodesOf, errorResponses } from './error-responses.ts';
import { exampleOf } from './examples.ts';
import { parametersOf } from './parameters.ts';
import type { SchemaComponents } from './schema-components.ts';
import { successResponses } from './success-responses.ts';

/** Name of the security scheme: the API key. */
export const keyScheme = 'apiKey';

export interface DocumentParts {
  schemas: SchemaComponents;
  responses: Components['responses'];
}

/** The OpenAPI operation of a route. */
export function operationOf(route: Route, parts: DocumentParts): Operation {
  const { scope } = route;
  const parameters = parametersOf(route);
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: descriptionOf(route),
    tags: [tagOf(route)],
    'x-required-scope': scope,
    security: securityOf(scope),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: requestBody(route.body, !route.bodyOptional, parts) }),
    responses: { ...successResponses(route, parts.schemas), ...errorResponses(errorCodesOf(route), parts) },
  };
}

function securityOf(scope: EndpointScope): Operation['security'] {
  if (scope === 'public') return [];
  return [{ [keyScheme]: scope === 'none' || scope === 'every scope' ? [] : [scope] }];
}

const needs: Partial<Record<EndpointScope, string>> = {
  none: 'any valid key',
  'every scope': 'a key with every scope of its user',
  public: 'no key',
};

function descriptionOf({ scope, action, limit }: Route): string {
  const needed = needs[scope] ?? `the scope \`${scope}\``;
  const audited = action === undefined ? '' : ` The audit log names it \`${action}\`.`;
  const limited = scope === 'public' ? 'Counts for the rate limit of the address.' : `Counts for the rate limit \`${limit}\`.`;
  return `Needs ${needed}. ${limited}${audited}`;
}

/** The first part of the path. */
export function tagOf({ path }: Pick<Route, 'path'>): string {
  return path.split('/')[1] ?? '';
}

function requestBody(body: NonNullable<Route['body']>, required: boolean, { schemas }: DocumentParts) {
  return { required, content: { 'application/json': { schema: schemas.of(body), example: exampleOf(body) } } };
}
