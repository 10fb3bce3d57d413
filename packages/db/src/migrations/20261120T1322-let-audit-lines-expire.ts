import { type Kysely, sql } from 'kysely';

const statements = [
  'DROP TRIGGER append_only ON audit_log',
  `CREATE TRIGGER append_only BEFORE UPDATE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_changing_audit_log()`,
  // A transaction that says how many days lines are kept may delete older ones, and never those of the last day.
  `CREATE TRIGGER keep_recent BEFORE DELETE ON audit_log FOR EACH ROW
    WHEN (OLD.at >= now() - make_interval(days => greatest(1,
      coalesce(nullif(current_setting('sluice.audit_retention_days', true), '')::integer, 1000000))))
    EXECUTE FUNCTION refuse_changing_audit_log()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('DROP TRIGGER keep_recent ON audit_log').execute(db);
  await sql.raw('DROP TRIGGER append_only ON audit_log').execute(db);
  await sql
    .raw(`CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_changing_audit_log()`)
    .execute(db);
}
