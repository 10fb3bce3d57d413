import { type InstanceRole, randomId } from '@sluice/domain';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { inTransaction } from './in-transaction.ts';

export interface User {
  id: string;
  /** Lower case. */
  email: string;
  role: InstanceRole;
}

export class UserRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Makes the user and the personal project it is `project:admin` of. */
  async create({ email, role }: { email: string; role: InstanceRole }): Promise<User> {
    const user: User = { id: randomId(), email: email.toLowerCase(), role };
    const project = { id: randomId(), name: user.email, type: 'personal' as const };
    await inTransaction(this.#db, async (tx) => {
      await tx.insertInto('users').values(user).execute();
      await tx.insertInto('projects').values(project).execute();
      await tx
        .insertInto('project_members')
        .values({ project_id: project.id, user_id: user.id, role: 'project:admin' })
        .execute();
    });
    return user;
  }

  /** The user who owns the instance: the first one made. */
  async findOwner(): Promise<User | undefined> {
    return this.#db
      .selectFrom('users')
      .select(['id', 'email', 'role'])
      .where('role', '=', 'owner')
      .orderBy('created_at')
      .orderBy('id')
      .executeTakeFirst();
  }
}
