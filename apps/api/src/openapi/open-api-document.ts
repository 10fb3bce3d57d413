import { endpointScopes } from '../endpoint-scopes.ts';
import { routes } from '../routes.ts';
import { buildDocument } from './build-document.ts';
import type { OpenApiDocument } from './document.ts';

/** The document of this version of the API, with the key in its usual header. */
export function openApiDocument(): OpenApiDocument {
  return buildDocument({ routes, scopes: endpointScopes, keyHeader: 'X-SERVICE-API-KEY' });
}
