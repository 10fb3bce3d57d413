import type { ApiKeyView, UserView } from '@sluice/contract';
import type { ApiKey, User } from '@sluice/db';

/* Views that the command line also prints. */

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

export function toUserView({ id, email, role, personalProjectId, createdAt, updatedAt }: User): UserView {
  return { id, email, role, personalProjectId, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
