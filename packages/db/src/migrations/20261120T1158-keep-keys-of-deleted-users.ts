import { type Kysely, sql } from 'kysely';

/** A revoked key returns 403 even after its user was deleted: its row outlives the user. */
const statements = [
  `ALTER TABLE api_keys ALTER COLUMN user_id DROP NOT NULL`,
  `ALTER TABLE api_keys DROP CONSTRAINT api_keys_user_id_fkey`,
  `ALTER TABLE api_keys ADD CONSTRAINT api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE SET NULL`,
  `ALTER TABLE api_keys ADD CONSTRAINT api_keys_without_user CHECK (user_id IS NOT NULL OR revoked_at IS NOT NULL)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `ALTER TABLE api_keys DROP CONSTRAINT api_keys_without_user`,
    `DELETE FROM api_keys WHERE user_id IS NULL`,
    `ALTER TABLE api_keys DROP CONSTRAINT api_keys_user_id_fkey`,
    `ALTER TABLE api_keys ADD CONSTRAINT api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE`,
    `ALTER TABLE api_keys ALTER COLUMN user_id SET NOT NULL`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}
