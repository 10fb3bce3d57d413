import type { Route } from '../http/define-route.ts';
import type { Components, Operation } from './document.ts';
import { errorCodesOf, errorResponses } from './error-responses.ts';
import { exampleOf } from './example-of.ts';
import { operationIdOf } from './operation-id.ts';
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
    operationId: operationIdOf(route),
    summary: route.summary,
    description: descriptionOf(route),
    tags: [tagOf(route)],
    'x-required-scope': scope,
    security: [{ [keyScheme]: scope === 'none' || scope === 'every scope' ? [] : [scope] }],
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: requestBody(route.body, !route.bodyOptional, parts) }),
    responses: { ...successResponses(route, parts.schemas), ...errorResponses(errorCodesOf(route), parts) },
  };
}

function descriptionOf({ scope, action, limit }: Route): string {
  const needed =
    scope === 'none'
      ? 'any valid key'
      : scope === 'every scope'
        ? 'a key with every scope of its user'
        : `the scope \`${scope}\``;
  const audited = action === undefined ? '' : ` The audit log names it \`${action}\`.`;
  return `Needs ${needed}. Counts for the rate limit \`${limit}\`.${audited}`;
}

/** The first part of the path. */
export function tagOf({ path }: Pick<Route, 'path'>): string {
  return path.split('/')[1] ?? '';
}

function requestBody(body: NonNullable<Route['body']>, required: boolean, { schemas }: DocumentParts) {
  return { required, content: { 'application/json': { schema: schemas.of(body), example: exampleOf(body, schemas) } } };
}
