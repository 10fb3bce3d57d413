import { errorMessage, type JsonObject } from '@sluice/domain';
import type { NodeProperty } from '../description.ts';
import { allowedDomainsField, allowedHostProperties, domainsModeField } from './allowed-host-properties.ts';
import type {
  CredentialTestResult,
  CredentialType,
  CredentialTypeDefinition,
  PreAuthentication,
  TestCredential,
  TokenRenewal,
} from './credential.ts';
import { credentialSchema, secretFieldsOf } from './credential-schema.ts';
import { plainCredentialType } from './plain-credential-type.ts';
import { redactSecrets } from './redact-secrets.ts';

/** Time limit of a test in milliseconds. */
const testTimeoutMs = 30_000;

/**
 * Derives the schema and secret fields from the properties. Fields that `preAuthentication` fills
 * in are always secret. Types that authenticate HTTP requests get the fields of
 * `allowedHostProperties`. The test is wrapped to return results as `TestCredential` specifies.
 */
export function defineCredentialType(definition: CredentialTypeDefinition): CredentialType {
  const plain = plainCredentialType(definition);
  const { test, preAuthentication } = plain;
  const properties = withAllowedHosts(plain, withObtainedSecret(plain));
  const renewal = plain.renewal ?? (preAuthentication && renewalBy(preAuthentication));
  const secretFields = secretFieldsOf(properties);
  const schema = credentialSchema(properties);
  return {
    ...plain,
    properties,
    schema,
    secretFields,
    ...(renewal && { renewal }),
    ...(preAuthentication && { complete: (data) => completed(plain, withoutInstant(data)) }),
    ...(test && { test: safeTest(test, secretFields) }),
  };
}

/** Internal field with the time until which the obtained fields are valid. */
const validUntil = 'preAuthenticatedUntil';

function renewalBy({ validForMs, obtain }: PreAuthentication): TokenRenewal {
  return {
    isDue: (data, nowMs) => !(Number(data[validUntil] ?? 0) > nowMs),
    renew: async (data, ports, signal) => ({
      ...data,
      ...(await obtain(data, ports, signal)),
      [validUntil]: ports.now() + validForMs,
    }),
    afterRefusal: true,
  };
}

/** The public part of stored credential data: fields and tokens. */
export function withoutInstant({ [validUntil]: _, ...data }: JsonObject): JsonObject {
  return data;
}

function withObtainedSecret({ properties, preAuthentication }: CredentialTypeDefinition): readonly NodeProperty[] {
  return properties.map((property) => {
    const { type, default: initial, typeOptions } = property;
    const isObtained = typeOptions?.['expirable'] === true || (preAuthentication && type === 'hidden' && initial === '');
    return isObtained ? { ...property, typeOptions: { ...typeOptions, password: true } } : property;
  });
}

/** Recreates the fields, because a child type may declare hosts that its parent does not. */
function withAllowedHosts(definition: CredentialTypeDefinition, properties: readonly NodeProperty[]): readonly NodeProperty[] {
  if (!definition.authenticate && !definition.answerChallenge) return properties;
  const fields = properties.filter(({ name }) => name !== domainsModeField && name !== allowedDomainsField);
  return [...fields, ...allowedHostProperties(definition)];
}

function completed({ complete }: CredentialTypeDefinition, data: JsonObject): JsonObject {
  return complete?.(data) ?? data;
}

function safeTest(test: TestCredential, secretFields: readonly string[]): TestCredential {
  return async (data, ports, signal) => {
    const deadline = AbortSignal.timeout(testTimeoutMs);
    const run = async () => test(data, ports, AbortSignal.any([signal, deadline])); // may throw synchronously
    const result = await run().catch((error): CredentialTestResult => {
      signal.throwIfAborted();
      const message = deadline.aborted ? `no response within ${testTimeoutMs / 1_000} seconds` : errorMessage(error);
      return { status: 'Error', message: message === '' ? 'the test failed' : message };
    });
    return { status: result.status, message: redactSecrets(result.message, data, secretFields) };
  };
}
