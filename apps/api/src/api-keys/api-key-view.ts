import type { ApiKeyView } from '@sluice/contract';
import type { ApiKey } from '@sluice/db';

export function toApiKeyView(key: ApiKey): ApiKeyView {
  return {
    id: key.id,
    label: key.label,
    apiKey: key.redactedKey,
    scopes: key.scopes,
    expiresAt: key.expiresAt && key.expiresAt.getTime() / 1000,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    createdAt: key.createdAt.toISOString(),
    updatedAt: key.updatedAt.toISOString(),
  };
}
