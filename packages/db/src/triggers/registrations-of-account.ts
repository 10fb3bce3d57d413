import { sql, type Transaction } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/*
 * A service may allow one webhook per account, so that a removal ends a webhook registered before
 * it. Registrations and removals at one account therefore wait for each other.
 */

/**
 * Whether a removal has not failed and is less than a minute old: a worker should complete it soon.
 */
const isNewRemoval = (alias: 'r' | 'o') =>
  sql`${sql.ref(`${alias}.failures`)} = 0 AND ${sql.ref(`${alias}.unwanted_at`)} > now() - interval '1 minute'`;

const isAtSameAccount = sql`o.id <> r.id AND registration_account(o.name, o.subject) = registration_account(r.name, r.subject)`;

/**
 * Whether a removal at the account of row `r` is in progress, or new and pending. If the service
 * allows one webhook per account, the removal would end a webhook that is registered before it.
 */
export const hasPendingRemoval = sql`EXISTS (SELECT FROM registrations o WHERE NOT o.wanted AND ${isAtSameAccount}
  AND (o.held_until > now() OR (${isNewRemoval('o')})))`;

/**
 * Whether a registration at the account of row `r`, a removal, is in progress, or is due and does
 * not wait for `r` because the removal is not new.
 */
export const hasPendingRegistration = sql`EXISTS (SELECT FROM registrations o WHERE o.wanted AND ${isAtSameAccount}
  AND (o.held_until > now() OR (o.due_at <= now() AND NOT (${isNewRemoval('r')}))))`;

/**
 * A late removal may have removed registrations made after it: so workers check these at the
 * service.
 */
export async function recheckLater(tx: Transaction<Tables>, id: string): Promise<void> {
  await sql`UPDATE registrations r SET due_at = now() FROM registrations o WHERE o.id = ${id} AND r.id <> o.id AND r.wanted
    AND r.due_at IS NULL AND r.wanted_at >= o.unwanted_at
    AND registration_account(r.name, r.subject) = registration_account(o.name, o.subject)`.execute(tx);
}
