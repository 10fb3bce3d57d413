export { type ConnectOptions, createGuardedConnect, type GuardedConnect } from './guarded-connect.ts';
export { createHttpClient } from './http-client.ts';
export type { HttpAuthentication, HttpClient, HttpClientOptions, HttpRequest, HttpResponse } from './types.ts';
