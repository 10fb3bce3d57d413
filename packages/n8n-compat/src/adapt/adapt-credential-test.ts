import { isJsonObject, type JsonObject, type JsonValue, ownProperty, valueAt } from '@sluice/domain';
import type { AuthenticateRequest, CredentialTestResult, HttpResponse, TestCredential } from '@sluice/node-sdk';
import type { CommunityCredentialType } from '../community-types.ts';
import { toHttpRequest } from '../context/http-request.ts';
import { type HttpRequestOptions, planOf } from '../context/request-options.ts';
import { plainData } from '../plain-data.ts';
import { credentialText, credentialValue } from './credential-text.ts';

/** The test request of a credential type and the rules for its response. */
export function adaptCredentialTest(
  { test }: CommunityCredentialType,
  authenticate: AuthenticateRequest | undefined,
  complete: (data: JsonObject) => JsonObject,
): TestCredential | undefined {
  const { request, rules } = (plainData(test) ?? {}) as { request?: JsonValue; rules?: JsonValue };
  if (!isJsonObject(request)) return undefined;
  return async (values, ports, signal) => {
    const data = complete(values);
    const options = evaluated({ url: '', ...request }, data) as unknown as HttpRequestOptions;
    const plain = await toHttpRequest(planOf(options));
    const authenticated = authenticate ? await authenticate(plain, data, ports, signal) : plain;
    return resultOf(await ports.http.request(authenticated, signal), Array.isArray(rules) ? rules : []);
  };
}

/**
 * Hosts of a credential type's service. The format does not declare them, so they are the hosts in
 * the test request's URL and in all fields that contain a URL (prefixed with `http://` for http
 * URLs). `undefined` if the type has no test request, because its service is then unknown.
 */
export function serviceHostsOf(
  { test, properties }: Pick<CommunityCredentialType, 'test' | 'properties'>,
  data: JsonObject,
): string[] | undefined {
  const { request } = (plainData(test) ?? {}) as { request?: JsonValue };
  if (!isJsonObject(request)) return undefined;
  const fields = properties.map(({ name }) => ownProperty(data, name));
  return [testAddress(request, data), ...fields].flatMap((text) => {
    const url = typeof text === 'string' && /^https?:\/\//i.test(text.trim()) ? URL.parse(text.trim()) : null;
    return url ? [url.protocol === 'http:' ? `http://${url.host}` : url.host] : [];
  });
}

function testAddress({ baseURL = '', url = '' }: JsonObject, data: JsonObject): string | undefined {
  try {
    const [base, path] = [baseURL, url].map((part) => (typeof part === 'string' ? credentialText(part, data) : ''));
    return /^https?:\/\//i.test(path ?? '') ? path : base;
  } catch {
    return undefined;
  }
}

function evaluated(value: JsonValue, data: JsonObject): JsonValue | undefined {
  if (typeof value === 'string') return evaluatedText(value, data);
  if (Array.isArray(value)) return value.flatMap((element) => evaluated(element, data) ?? []);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, evaluated(member, data)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined)) as JsonObject;
}

/** A string may evaluate to a whole part of the request, or to nothing. */
function evaluatedText(text: string, data: JsonObject): JsonValue | undefined {
  const value = credentialValue(text, data);
  return value === undefined || isJsonObject(value) ? value : truth(credentialText(text, data));
}

/** An option that an expression determines. */
function truth(value: string): JsonValue {
  return value === 'true' || value === 'false' ? value === 'true' : value;
}

function resultOf({ status, body }: HttpResponse, rules: readonly JsonValue[]): CredentialTestResult {
  const broken = rules.filter(isJsonObject).find((rule) => meets(rule, status, body));
  const properties = broken?.['properties'];
  if (isJsonObject(properties))
    return { status: 'Error', message: String(properties['message'] ?? 'the service refused the credential') };
  if (status >= 200 && status < 300) return { status: 'OK', message: 'Connection successful' };
  return { status: 'Error', message: `the service returned ${status}` };
}

/** Rules describe error responses. */
function meets({ type, properties }: JsonObject, status: number, body: Uint8Array): boolean {
  if (!isJsonObject(properties)) return false;
  if (type === 'responseCode') return properties['value'] === status;
  if (type !== 'responseSuccessBody' || status < 200 || status > 299) return false;
  return valueAt(jsonOf(body), String(properties['key'])) === properties['value'];
}

function jsonOf(body: Uint8Array): JsonValue | undefined {
  try {
    return JSON.parse(Buffer.from(body).toString()) as JsonValue;
  } catch {
    return undefined;
  }
}
