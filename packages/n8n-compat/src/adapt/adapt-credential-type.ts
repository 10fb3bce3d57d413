import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';
import {
  type AuthenticateRequest,
  basicAuthorization,
  type CredentialType,
  type CredentialTypeDefinition,
  type HttpRequest,
  httpAuthentication,
  type NodeProperty,
  withBodyFields,
  withHeaders,
  withQuery,
} from '@sluice/node-sdk';
import type { CommunityCredentialType } from '../community-types.ts';
import type { HttpRequestOptions } from '../context/request-options.ts';
import { toRequestOptions, withRequestOptions } from '../context/request-view.ts';
import { adaptCredentialTest, serviceHostsOf } from './adapt-credential-test.ts';
import { adaptProperties } from './adapt-properties.ts';
import { withCredentialDefaults } from './credential-defaults.ts';
import { credentialHelpers } from './credential-helpers.ts';
import { credentialText, credentialValue } from './credential-text.ts';

/** Finds existing credential types. */
export type FindCredentialType = (name: string) => CredentialType | undefined;

/**
 * How long fields from `preAuthentication` are valid, in milliseconds; the format does not declare
 * it.
 */
const preAuthenticatedMs = 15 * 60_000;

/**
 * Converts a checked community credential type to the source of a native type. Inherited functions
 * also receive this type's defaults.
 */
export function adaptCredentialType(
  type: CommunityCredentialType,
  find: FindCredentialType = () => undefined,
): CredentialTypeDefinition {
  const { name, displayName, documentationUrl, extends: names } = type;
  const parents = (names ?? []).flatMap((parent) => find(parent) ?? []);
  const complete = (data: JsonObject) => withCredentialDefaults(data, type.properties);
  const authenticateMethod = authenticateOf(type);
  const inherited = parents.find(({ authenticate }) => authenticate !== undefined);
  const authenticate = authenticateMethod ?? (inherited && inheritedAuthenticate(inherited));
  const renewal = parents.find((parent) => parent.renewal)?.renewal;
  const consent = parents.find((parent) => parent.consent)?.consent;
  const test = adaptCredentialTest(type, authenticate, complete);
  const { preAuthentication } = type;
  return {
    name,
    displayName: typeof displayName === 'string' ? displayName : name,
    ...(typeof documentationUrl === 'string' && /^https?:/.test(documentationUrl) && { documentation: documentationUrl }),
    ...(names && { extends: names }),
    properties: adaptProperties(type.properties).map(withoutNeedlessRequired),
    ...(type.test !== undefined && { hosts: (data) => serviceHostsOf(type, data) }),
    ...(authenticate && {
      authenticate: (request, data, ports, signal) => authenticate(request, complete(data), ports, signal),
    }),
    ...(renewal && {
      renewal: {
        isDue: (data, nowMs) => renewal.isDue(complete(data), nowMs),
        renew: (data, ports, signal) => renewal.renew(complete(data), ports, signal),
        afterRefusal: renewal.afterRefusal === true,
      },
    }),
    ...(consent && {
      consent: {
        begin: (data, request, ports) => consent.begin(complete(data), request, ports),
        complete: (data, grant, ports, signal) => consent.complete(complete(data), grant, ports, signal),
      },
    }),
    complete: (data) => withCredentialDefaults(data, [...type.properties, ...parents.flatMap(({ properties }) => properties)]),
    ...(preAuthentication && {
      preAuthentication: {
        validForMs: preAuthenticatedMs,
        obtain: async (data, ports, signal) => {
          const result = await preAuthentication.call(
            { helpers: credentialHelpers(ports, signal) },
            ...([complete(data)] as never[]),
          );
          return isJsonObject(result) ? result : {};
        },
      },
    }),
    ...(test && { test }),
  };
}

/**
 * Packages also mark fields as required that users need not or cannot fill in: fields with a
 * default, which `complete` adds, and hidden fields.
 */
function withoutNeedlessRequired(property: NodeProperty): NodeProperty {
  const { required: _, ...optional } = property;
  return property.type === 'hidden' || property.default !== '' ? optional : property;
}

function inheritedAuthenticate(parent: CredentialType): AuthenticateRequest {
  return (request, data, ports, signal) => httpAuthentication(parent, data, ports)?.authenticate?.(request, signal) ?? request;
}

function authenticateOf(type: CommunityCredentialType): AuthenticateRequest | undefined {
  const { authenticate } = type;
  if (typeof authenticate === 'function') {
    return async (request, data) =>
      withRequestOptions(
        request,
        (await (authenticate as (data: JsonObject, options: HttpRequestOptions) => unknown).call(
          type,
          data,
          await toRequestOptions(request),
        )) as HttpRequestOptions,
      );
  }
  const properties = isJsonObject(authenticate) ? authenticate['properties'] : undefined;
  if (!isJsonObject(properties)) return undefined;
  return (request, data) => generic(request, properties, data);
}

/**
 * Authentication as data: headers, query, body, and basic, each with evaluated strings, or as one
 * text that returns the whole part.
 */
async function generic(request: HttpRequest, { headers, qs, body, auth }: JsonObject, data: JsonObject): Promise<HttpRequest> {
  let result = withHeaders(request, fieldsOf(headers, data));
  const { username, password } = Object.fromEntries(fieldsOf(auth, data));
  if (username !== undefined || password !== undefined)
    result = withHeaders(result, [['authorization', basicAuthorization(username ?? '', password ?? '')]]);
  result = withQuery(result, fieldsOf(qs, data));
  return withFields(result, fieldsOf(body, data));
}

function fieldsOf(part: JsonValue | undefined, data: JsonObject): [string, string][] {
  if (typeof part === 'string') {
    const fields = credentialValue(part, data);
    return isJsonObject(fields) ? Object.entries(fields).map(([name, value]) => [name, plainText(value)]) : [];
  }
  return Object.entries(isJsonObject(part) ? part : {}).flatMap(([name, value]): [string, string][] =>
    isFilled(value, data) ? [[credentialText(name, data), credentialText(value, data)]] : [],
  );
}

/** A field whose text is undefined is not sent; a field with an empty text is. */
function isFilled(value: JsonValue | undefined, data: JsonObject): boolean {
  return typeof value === 'string' ? credentialValue(value, data) !== undefined : value !== undefined;
}

const plainText = (value: JsonValue): string =>
  typeof value === 'object' ? (value === null ? '' : JSON.stringify(value)) : String(value);

/**
 * A request without a body gets one, unless its method does not allow a body: type authors add body
 * fields for requests that have a body.
 */
async function withFields(request: HttpRequest, fields: readonly (readonly [string, string])[]): Promise<HttpRequest> {
  if (fields.length === 0 || request.body !== undefined) return withBodyFields(request, fields);
  if (request.method === 'GET' || request.method === 'HEAD') return request;
  return withBodyFields(withHeaders({ ...request, body: '{}' }, [['content-type', 'application/json']]), fields);
}
