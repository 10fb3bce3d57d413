export { createHttpClient } from './http-client.ts';
export type { HttpClient, HttpClientOptions, HttpRequest, HttpResponse } from './types.ts';
