import { describe, expect, test } from '@jest/globals';
import { guardedPorts } from '@sluice/credentials';
import type { JsonObject } from '@sluice/domain';
import type { AuthenticationPorts } from '@sluice/node-sdk';
import { baseCredentialTypes, createCredentialTypeRegistry } from '@sluice/nodes-base/credentials';
import { CredentialTypes } from './credential-types.ts';

const types = new CredentialTypes(createCredentialTypeRegistry(baseCredentialTypes));

describe('the schema of each credential type', () => {
  test.each(baseCredentialTypes.map((type) => [type.name, type] as const))('of %s accepts its own defaults', (_, type) => {
    const { properties } = type.schema as { properties: Record<string, JsonObject> };
    const defaults = Object.entries(properties).flatMap(([name, field]) =>
      field['default'] === undefined ? [] : [[name, field['default']] as const],
    );
    const issues = types.issuesOf(type, Object.fromEntries(defaults), '');
    expect(issues.filter(({ path, message }) => message !== 'is required' && path !== '')).toEqual([]);
  });
});

describe('the code of a credential type', () => {
  const serviceTypes = baseCredentialTypes.filter(({ hosts }) => hosts !== undefined);

  test.each(serviceTypes.map((type) => [type.name, type] as const))(
    'of %s connects only to the hosts of its service',
    async (_, type) => {
      const ports: AuthenticationPorts = {
        http: { request: () => Promise.reject(new Error('sent')) },
        now: Date.now,
        randomBytes: () => new Uint8Array(),
      };
      const { http } = guardedPorts(ports, type, {});
      for (const url of ['https://thief.example/', 'http://api.github.com/', 'https://www.googleapis.com.thief.example/']) {
        const sent = http.request({ method: 'GET', url, timeoutMs: 1, maxResponseBytes: 1 }, new AbortController().signal);
        await expect(sent).rejects.toMatchObject({ code: 'CREDENTIAL_HOST_NOT_ALLOWED' });
      }
    },
  );
});
