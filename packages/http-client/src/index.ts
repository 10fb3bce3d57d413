export { createConnectGuard, guardedConnect } from './guarded-connect.ts';
export { createHttpClient } from './http-client.ts';
export type { HttpClientOptions } from './http-client-options.ts';
export type { Endpoint } from './own-endpoints.ts';
