import { scopes as allScopes } from '@sluice/domain';
import { type Static, Type } from './schema-builder.ts';
import { nameText, nullable, oneOf, timestamp, timestampOf, withExample } from './schema-helpers.ts';

/** End of the year 9999. Rejects milliseconds, which would be seconds in the year 58,000. */
const maxUnixSeconds = 253_402_300_799;

const scopes = Type.Array(oneOf(allScopes), { maxItems: 1000 });
const description = 'Unix time in seconds; null: no expiry';

export const createApiKeyBody = withExample(
  Type.Object({
    label: nameText,
    scopes,
    expiresAt: Type.Optional(nullable(Type.Number({ maximum: maxUnixSeconds, description }))),
  }),
  { label: 'deployment', scopes: ['workflow:read', 'workflow:execute'], expiresAt: null },
);
export type CreateApiKeyBody = Static<typeof createApiKeyBody>;

export const updateApiKeyBody = withExample(Type.Object({ label: Type.Optional(nameText), scopes: Type.Optional(scopes) }), {
  label: 'nightly deployment',
});
export type UpdateApiKeyBody = Static<typeof updateApiKeyBody>;

const apiKeyFields = {
  id: Type.String(),
  label: Type.String(),
  apiKey: Type.String({ description: 'redacted: the first and last few characters' }),
  scopes: Type.Array(oneOf(allScopes), { description: 'without an enterprise license: all scopes of the role' }),
  expiresAt: nullable(Type.Number({ description })),
  lastUsedAt: nullable(timestampOf('to the minute')),
  createdAt: timestamp,
  updatedAt: timestamp,
};

export const apiKeyView = Type.Object(apiKeyFields, { title: 'ApiKey' });
export type ApiKeyView = Static<typeof apiKeyView>;

export const apiKeyList = Type.Array(apiKeyView);

export const createdApiKey = Type.Object({
  ...apiKeyFields,
  rawApiKey: Type.String({ description: 'the whole key; it is returned only once' }),
});

export const scopeList = Type.Array(oneOf(allScopes));
