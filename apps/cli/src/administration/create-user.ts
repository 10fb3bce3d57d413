import { toApiKeyView, toUserView } from '@sluice/api/views';
import { createUserBody } from '@sluice/contract';
import { Access, ApiKeyRepository, generateApiKey, noteForAudit, ProjectRepository, UserRepository } from '@sluice/db';
import type { Terminal } from '../terminal.ts';
import { administer } from './administer.ts';
import { checkInput } from './check-input.ts';
import { toProjectDocument } from './documents.ts';
import { printResult } from './print-result.ts';

export interface CreateUserOptions {
  email: string;
  role: string;
  json: boolean;
}

/** Prints the new user with its personal project and its first API key, which cannot be shown again. */
export async function createUser({ json, ...options }: CreateUserOptions, terminal: Terminal): Promise<void> {
  const { email, role } = checkInput(createUserBody, options);
  const rawApiKey = generateApiKey();
  const { user, project, keys } = await administer('user.create', async ({ kysely }) => {
    noteForAudit({ objectName: email, details: { role } });
    const created = await new UserRepository(kysely).create({ email, role, rawKey: rawApiKey });
    return {
      user: created,
      project: await new ProjectRepository(kysely).get(created.personalProjectId, new Access('all')),
      keys: await new ApiKeyRepository(kysely).listOf(created.id),
    };
  });
  const [apiKey] = keys.map(toApiKeyView);
  printResult(terminal, {
    json,
    document: { user: toUserView(user), project: toProjectDocument(project), apiKey, rawApiKey },
    lines: [
      ['user', `${user.id}  ${user.email}  ${user.role}`],
      ['project', `${project.id}  ${project.name}`],
      ['key', rawApiKey],
    ],
  });
}
