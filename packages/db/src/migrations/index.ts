import type { Migration } from 'kysely/migration';
import * as createTables from './20261120T1000-create-tables.ts';
import * as createCredentials from './20261120T1130-create-credentials.ts';
import * as createTags from './20261120T1150-create-tags.ts';
import * as createAnnotations from './20261120T1151-create-annotations.ts';
import * as createExecutionMoves from './20261120T1152-create-execution-moves.ts';
import * as indexWorkflowVersions from './20261120T1153-index-workflow-versions.ts';
import * as timeNodeRuns from './20261120T1154-time-node-runs.ts';
import * as nameOwnersOfPersonalProjects from './20261120T1156-name-owners-of-personal-projects.ts';
import * as noteAccessChanges from './20261120T1157-note-access-changes.ts';
import * as keepKeysOfDeletedUsers from './20261120T1158-keep-keys-of-deleted-users.ts';
import * as createAuditLog from './20261120T1159-create-audit-log.ts';
import * as indexLists from './20261120T1205-index-lists.ts';
import * as sizeGraphs from './20261120T1316-size-graphs.ts';

/** Every migration, by name; they run in the order of the names. */
export const migrations: Record<string, Migration> = {
  '20261120T1000-create-tables': createTables,
  '20261120T1130-create-credentials': createCredentials,
  '20261120T1150-create-tags': createTags,
  '20261120T1151-create-annotations': createAnnotations,
  '20261120T1152-create-execution-moves': createExecutionMoves,
  '20261120T1153-index-workflow-versions': indexWorkflowVersions,
  '20261120T1154-time-node-runs': timeNodeRuns,
  '20261120T1156-name-owners-of-personal-projects': nameOwnersOfPersonalProjects,
  '20261120T1157-note-access-changes': noteAccessChanges,
  '20261120T1158-keep-keys-of-deleted-users': keepKeysOfDeletedUsers,
  '20261120T1159-create-audit-log': createAuditLog,
  '20261120T1205-index-lists': indexLists,
  '20261120T1316-size-graphs': sizeGraphs,
};
