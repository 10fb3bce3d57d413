export { type ApiClient, type ClientOptions, createApiClient } from './create-api-client.ts';
export type { components, operations, paths } from './generated/openapi.ts';
