import {
  AppError,
  type AuthenticateRequest,
  defineCredentialType,
  type HttpRequest,
  isJsonObject,
  type JsonObject,
  jsonObjectIn,
  ownProperty,
  withBodyFields,
  withHeaders,
  withQuery,
} from '@sluice/node-sdk';
import { json, testUrl } from './shared/properties.ts';
import { ownUrlTest } from './shared/service-test.ts';

const authenticate: AuthenticateRequest = (request, data) => {
  const parts = partsOf(data);
  const withBoth = withQuery(withHeaders(request, texts(parts.headers)), texts(parts.qs));
  return withFields(withBoth, parts.body);
};

/** Adds any headers, body fields, and query parameters that a service requires. */
export const httpCustomAuth = defineCredentialType({
  name: 'httpCustomAuth',
  displayName: 'Custom Auth',
  properties: [
    {
      ...json('json', 'JSON', {
        required: true,
        description: 'Sent with each request: an object with the optional objects `headers`, `body`, and `qs`',
      }),
      typeOptions: { password: true },
    },
    testUrl,
  ],
  authenticate,
  test: ownUrlTest({ authenticate }),
});

/**
 * Adds fields to the body. A request without a body gets the fields as its body if its method
 * allows one.
 */
async function withFields(request: HttpRequest, fields: JsonObject): Promise<HttpRequest> {
  const isBodyless = request.body === undefined && !['GET', 'HEAD'].includes(request.method.toUpperCase());
  if (!isBodyless || Object.keys(fields).length === 0) return withBodyFields(request, Object.entries(fields));
  return { ...withHeaders(request, [['content-type', 'application/json']]), body: JSON.stringify(fields) };
}

function partsOf(data: JsonObject): Record<'headers' | 'body' | 'qs', JsonObject> {
  const field = ownProperty(data, 'json') ?? '';
  const parts = typeof field === 'string' ? jsonObjectIn(field) : field;
  if (!isJsonObject(parts)) throw incomplete('the field "json" is not a JSON object');
  return { headers: partOf(parts, 'headers'), body: partOf(parts, 'body'), qs: partOf(parts, 'qs') };
}

function partOf(parts: JsonObject, name: string): JsonObject {
  const part = ownProperty(parts, name) ?? {};
  if (isJsonObject(part)) return part;
  throw incomplete(`"${name}" in the field "json" is not a JSON object`);
}

function texts(part: JsonObject): [string, string][] {
  return Object.entries(part).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
}

function incomplete(message: string): AppError {
  return new AppError({ code: 'CREDENTIAL_INCOMPLETE', message });
}
