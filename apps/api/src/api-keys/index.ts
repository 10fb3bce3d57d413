import { createApiKey } from './create-api-key.ts';
import { listApiKeys } from './list-api-keys.ts';
import { listScopes } from './list-scopes.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { updateApiKey } from './update-api-key.ts';

export const apiKeyRoutes = [listApiKeys, createApiKey, listScopes, updateApiKey, revokeApiKey];
