import {
  type CredentialType,
  type CredentialTypeDefinition,
  credentialText,
  defineCredentialType,
  type JsonObject,
  optionalCredentialText,
} from '@sluice/node-sdk';
import { withoutFinalSlashes } from '../../shared/slashes.ts';
import { hostOfAddress, hostsOfService } from '../shared/hosts-of-service.ts';
import { type ServiceTest, serviceTest } from '../shared/service-test.ts';

interface Service extends Omit<CredentialTypeDefinition, 'test'> {
  documentation: string;
  hosts: NonNullable<CredentialTypeDefinition['hosts']>;
  /**
   * The request of the credential test; a string is the URL of a GET. See `ServiceTest.request`.
   */
  test: string | ServiceTest['request'];
  refusal?: ServiceTest['refusal'];
}

/**
 * A credential type for one service: its test sends one request with the type's own authentication.
 */
export function serviceType({ test, refusal, ...type }: Service): CredentialType {
  const request = typeof test === 'string' ? () => test : test;
  return defineCredentialType({ ...type, test: serviceTest(type, { request, ...(refusal && { refusal }) }) });
}

/** Authentication by the header `Authorization: Bearer`. */
export function bearer(field: string) {
  return { headers: { Authorization: `Bearer {${field}}` } };
}

/** A service whose base URL is a field of the credential. */
export function addressIn(field: string, publicAddress = '') {
  const address = (data: JsonObject) =>
    withoutFinalSlashes(
      publicAddress === '' ? credentialText(data, field) : optionalCredentialText(data, field, publicAddress),
    );
  return {
    hosts: (data: JsonObject) =>
      publicAddress === '' ? hostOfAddress(optionalCredentialText(data, field)) : hostsOfService(data, field, publicAddress),
    /** URL of a path on the service. */
    at: (path: string) => (data: JsonObject) => `${address(data)}${path}`,
  };
}

/** A service where each customer has a subdomain, which is a field of the credential. */
export function subdomainIn(field: string, domain: string) {
  const host = (data: JsonObject) => `${optionalCredentialText(data, field).trim()}.${domain}`;
  const isLabel = (data: JsonObject) => /^[a-z0-9-]+$/i.test(optionalCredentialText(data, field).trim());
  return {
    rules: {
      hosts: (data: JsonObject) => (isLabel(data) ? [host(data)] : []),
      problemOf: (data: JsonObject) =>
        isLabel(data) ? undefined : `the field "${field}" is only the part before ".${domain}": letters, digits, and hyphens`,
    },
    /** URL of a path on the service. */
    at: (path: string) => (data: JsonObject) => `https://${host(data)}${path}`,
  };
}
