import {
  applyTemplate,
  type CredentialPorts,
  type CredentialType,
  type HttpRequest,
  type JsonObject,
  optionalCredentialText,
  withHeaders,
} from '@sluice/node-sdk';

/** The public API of this service. */
export interface OwnApiAccess {
  /** Without a trailing `/`; null: unknown. */
  url: string | null;
  /** API key header: `API_KEY_HEADER`. */
  keyHeader: string;
}

/** The type, in which an empty `ownApiField` means the public API of this service. */
export function withOwnApi(type: CredentialType, { url, keyHeader }: OwnApiAccess): CredentialType {
  const { ownApiField: field, test } = type;
  if (field === undefined) return type;
  const complete = (written: JsonObject) => {
    const data = type.complete?.(written) ?? written;
    return url === null || optionalCredentialText(data, field) !== '' ? data : { ...data, [field]: url };
  };
  const problem = `the field "${field}" must be set: the address of this service is unknown without PUBLIC_URL`;
  const withKey = keyAdder(type, { url, keyHeader });
  return {
    ...type,
    complete,
    problemOf: (data) => type.problemOf?.(data) ?? (optionalCredentialText(complete(data), field) === '' ? problem : undefined),
    ...authenticating(type, withKey),
    ...(test && { test: (data, ports, signal) => test(complete(data), portsWith(ports, data, withKey), signal) }),
  };
}

/** Adds the API key to a request. */
type AddKey = (request: HttpRequest, data: JsonObject) => HttpRequest;

/**
 * Adds the key to requests to this service, in the header that it reads; other services do not get
 * the header.
 */
function keyAdder({ ownApiKeyField: keyField }: CredentialType, { url, keyHeader }: OwnApiAccess): AddKey {
  const base = url === null ? null : URL.parse(url);
  return (request, data) => {
    const key = keyField === undefined ? '' : optionalCredentialText(data, keyField);
    const target = URL.parse(request.url);
    const isOwn = base && target?.origin === base.origin && target.pathname.startsWith(`${base.pathname}/`);
    return isOwn && key !== '' ? withHeaders(request, [[keyHeader, key]]) : request;
  };
}

function authenticating({ authenticate }: CredentialType, withKey: AddKey): Pick<CredentialType, 'authenticate'> {
  if (!authenticate) return {};
  return {
    authenticate: async (request, data, ports, signal) => {
      const authenticated =
        typeof authenticate === 'function'
          ? await authenticate(request, data, ports, signal)
          : await applyTemplate(request, authenticate, data);
      return withKey(authenticated, data);
    },
  };
}

/** A test authenticates its requests itself. */
function portsWith(ports: CredentialPorts, data: JsonObject, withKey: AddKey): CredentialPorts {
  return { ...ports, http: { request: (request, signal) => ports.http.request(withKey(request, data), signal) } };
}
