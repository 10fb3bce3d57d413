import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
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
