import { randomBytes } from 'node:crypto';
import { createDatabase, migrateToLatest } from '@sluice/db';
import { withDatabaseName } from './database-url.ts';
import { keepForTeardown } from './global-state.ts';
import { shareServices } from './shared-services.ts';
import { runAsAdmin } from './test-database.ts';
import { startTestServices } from './test-services.ts';

/** Runs once per run of Jest: starts services, and migrates one database to clone. */
export default async function setUp(): Promise<void> {
  const services = await startTestServices();
  const templateName = `sluice_template_${randomBytes(6).toString('hex')}`;
  keepForTeardown(async () => {
    await runAsAdmin(services.databaseUrl, `drop database if exists ${templateName} with (force)`);
    await services.stop();
  });
  await runAsAdmin(services.databaseUrl, `create database ${templateName}`);
  const template = createDatabase({ url: withDatabaseName(services.databaseUrl, templateName), poolSize: 2 });
  try {
    await migrateToLatest(template);
  } finally {
    await template.close();
  }
  shareServices({ databaseUrl: services.databaseUrl, redisUrl: services.redisUrl, templateName });
}
