export { type RunningApi, startApi } from './api.ts';
export { createApp } from './app.ts';
export { type ApiContext, createContext } from './context.ts';
export { CredentialTypes } from './credentials/credential-types.ts';
export { endpointOf } from './http/route/define-route.ts';
export type { OpenApiDocument, Operation } from './openapi/document.ts';
export { openApiDocument, routes } from './routes.ts';
