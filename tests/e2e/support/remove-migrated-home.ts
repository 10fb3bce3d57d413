export { removeMigratedPostgres as default } from './migrated-home.ts';
