import type { ApiKeyView, UserView } from '@sluice/contract';
import type { ApiKey, Project, User } from '@sluice/db';

/** What `--json` prints of a user: the same as the API. */
export function toUserDocument({ id, email, role, personalProjectId, createdAt, updatedAt }: User): UserView {
  return { id, email, role, personalProjectId, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** What `--json` prints of a project: the same as the API, without the role of a caller. */
export function toProjectDocument({ createdAtUs: _, ...project }: Project): Omit<Project, 'createdAtUs'> {
  return project;
}

/** What `--json` prints of a key: the same as the API. */
export function toKeyDocument({ userId: _, redactedKey, expiresAt, lastUsedAt, ...key }: ApiKey): ApiKeyView {
  return {
    ...key,
    apiKey: redactedKey,
    expiresAt: expiresAt && expiresAt.getTime() / 1000,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    createdAt: key.createdAt.toISOString(),
    updatedAt: key.updatedAt.toISOString(),
  };
}
