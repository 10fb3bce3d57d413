import { toUserView } from '@sluice/api/views';
import { type Database, type User, UserRepository } from '@sluice/db';
import type { Terminal } from '../terminal.ts';
import { withDatabase } from './administer.ts';
import { printTable } from './print-table.ts';

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
