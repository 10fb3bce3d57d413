import { randomBytes } from 'node:crypto';
import { createDatabase, type Database } from '@sluice/db';
import pg from 'pg';
import { withDatabaseName } from './database-url.ts';
import { sharedServices } from './shared-services.ts';

/** A migrated, empty database that only this test file uses. */
export interface TestDatabase {
  url: string;
  db: Database;
  /** Closes `db` and drops the database, even with open connections. */
  drop(): Promise<void>;
}

/** `const database = await testDatabase(); afterAll(() => database.drop());` */
export async function testDatabase(): Promise<TestDatabase> {
  const { databaseUrl, templateName } = sharedServices();
  const name = `sluice_test_${randomBytes(6).toString('hex')}`;
  // FILE_COPY: the default strategy also writes every page to the WAL, which takes twice the CPU
  // time, and fills shared buffers, which dropping the database must search.
  await runAsAdmin(databaseUrl, `create database ${name} template ${templateName} strategy file_copy`);
  const url = withDatabaseName(databaseUrl, name);
  const db = createDatabase({ url });
  return {
    url,
    db,
    async drop() {
      await db.close();
      await runAsAdmin(databaseUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

/** Runs one statement on a connection of its own. */
export async function runAsAdmin(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
