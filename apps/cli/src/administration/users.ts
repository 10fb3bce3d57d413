import { toApiKeyView, toUserView } from '@sluice/api/views';
import { readEnv, toConfig } from '@sluice/config';
import { createUserBody } from '@sluice/contract';
import {
  Access,
  ApiKeyRepository,
  type Database,
  generateApiKey,
  noteForAudit,
  ProjectRepository,
  type User,
  UserRepository,
} from '@sluice/db';
import type { Terminal } from '../terminal.ts';
import { administer, withDatabase } from './administer.ts';
import { checkInput } from './check-input.ts';
import { findUserOrOwner } from './find-user.ts';
import { printResult, printTable } from './print.ts';
import { toProjectDocument } from './projects.ts';
import { createSignInLink, signInMinutes } from './sign-in-link.ts';

export interface CreateUserOptions {
  email: string;
  role: string;
  json: boolean;
}

/** Prints the new user, its personal project, and its API key, which cannot be shown again. */
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

const pageSize = 500;

/** Prints all users, newest first. */
export async function listUsers({ json }: { json: boolean }, terminal: Terminal): Promise<void> {
  const users = await withDatabase(readAll);
  printTable(terminal, { json, documents: users.map(toUserView), rows: users.map(({ id, email, role }) => [id, email, role]) });
}

async function readAll({ kysely }: Database): Promise<User[]> {
  const users: User[] = [];
  for (;;) {
    const last = users.at(-1);
    const page = await new UserRepository(kysely).list({ limit: pageSize, after: last });
    users.push(...page);
    if (page.length < pageSize) return users;
  }
}

export interface LinkUserOptions {
  /** Email or ID; default: the owner. */
  user?: string;
  json: boolean;
}

/** Prints a one-time link that signs a user in to the dashboard. */
export async function linkUser(options: LinkUserOptions, terminal: Terminal): Promise<void> {
  const { email, url } = await administer('user.link', async (db) => {
    const user = await findUserOrOwner(db, options.user);
    noteForAudit({ objectId: user.id, objectName: user.email });
    return { email: user.email, url: await createSignInLink(db, user.id, toConfig(readEnv())) };
  });
  printResult(terminal, {
    json: options.json,
    document: { email, url },
    lines: [
      ['user', email],
      ['valid', `once, for ${signInMinutes} minutes`],
      ['link', url],
    ],
  });
}
