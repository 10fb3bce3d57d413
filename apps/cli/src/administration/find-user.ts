import { type Database, type User, UserRepository } from '@sluice/db';
import { NotFoundError } from '@sluice/domain';

/** Finds a user by email or ID. Throws `NotFoundError`. */
export async function findUser(db: Database, emailOrId: string): Promise<User> {
  const users = new UserRepository(db.kysely);
  if (!emailOrId.includes('@')) return users.get(emailOrId);
  const user = await users.findByEmail(emailOrId);
  if (!user) throw new NotFoundError(`there is no user with the email ${emailOrId}`);
  return user;
}

/** Finds a user by email or ID; without one, the owner. Throws `NotFoundError`. */
export async function findUserOrOwner(db: Database, emailOrId: string | undefined): Promise<User> {
  if (emailOrId !== undefined) return findUser(db, emailOrId);
  const owner = await new UserRepository(db.kysely).findOwner();
  if (!owner) throw new NotFoundError('there is no owner yet: start the service once, or specify a user with --user');
  return owner;
}
