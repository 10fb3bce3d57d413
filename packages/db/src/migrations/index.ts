import type { AnyMigration } from '../index-migration.ts';
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
import * as createCredentialConsents from './20261120T1321-create-credential-consents.ts';
import * as letAuditLinesExpire from './20261120T1322-let-audit-lines-expire.ts';
import * as indexIdempotencyKeys from './20261120T1323-index-idempotency-keys.ts';
import * as createBinaryData from './20261120T1330-create-binary-data.ts';
import * as suspendExecutions from './20261120T1340-suspend-executions.ts';
import * as createSeenValues from './20261120T1351-create-seen-values.ts';
import * as discardExecutions from './20261120T1352-discard-executions.ts';
import * as createVariables from './20261120T1353-create-variables.ts';
import * as keepIdempotencyKeys from './20261120T1410-keep-idempotency-keys.ts';
import * as createTriggers from './20261120T1421-create-triggers.ts';
import * as createWebhooks from './20261120T1424-create-webhooks.ts';
import * as pollAndListen from './20261120T1641-poll-and-listen.ts';
import * as createRegistrations from './20261120T1642-create-registrations.ts';
import * as noteForeignTypes from './20261120T1643-note-foreign-types.ts';
import * as routeForms from './20261120T1644-route-forms.ts';
import * as createTestUrls from './20261120T1645-create-test-urls.ts';
import * as answerResumingCalls from './20261120T1752-answer-resuming-calls.ts';
import * as noteTypesOfSources from './20261120T1753-note-types-of-sources.ts';
import * as noteBegunRegistrations from './20261120T1754-note-begun-registrations.ts';
import * as numberWebhookRoutes from './20261122T1510-number-webhook-routes.ts';
import * as followRenamedNodes from './20261122T1556-follow-renamed-nodes.ts';
import * as countStoredBytes from './20261123T0550-count-stored-bytes.ts';
import * as boundKeysToParents from './20261123T0630-bound-keys-to-parents.ts';
import * as keepIdsOfDeletedWorkflows from './20261123T0631-keep-ids-of-deleted-workflows.ts';
import * as queueFairly from './20261123T1525-queue-fairly.ts';
import * as createExecutionLimits from './20261123T1531-create-execution-limits.ts';
import * as createExecutionStatistics from './20261123T1841-create-execution-statistics.ts';
import * as reportWorkerLoad from './20261123T1855-report-worker-load.ts';
import * as createEventSubscriptions from './20261123T1906-create-event-subscriptions.ts';
import * as createDataTables from './20261123T2310-create-data-tables.ts';
import * as createChatSessions from './20261124T0910-create-chat-sessions.ts';
import * as createSignInLinks from './20261128T0309-create-sign-in-links.ts';
import * as noteCallingUses from './20261128T0319-note-calling-uses.ts';
import * as checkGraphs from './20261128T1950-check-graphs.ts';
import * as countAiUsage from './20261128T2006-count-ai-usage.ts';
import * as countLessWhenNew from './20261129T0622-count-less-when-new.ts';
import * as countFilesAtStart from './20261129T1148-count-files-at-start.ts';
import * as eventsOfMovedWorkflows from './20261129T1602-events-of-moved-workflows.ts';
import * as trimTagNames from './20261130T1041-trim-tag-names.ts';
import * as endUnclaimedExecutions from './20261130T1339-end-unclaimed-executions.ts';
import * as countHandBacks from './20261130T2241-count-hand-backs.ts';
import * as keepDataOfWaits from './20261130T2321-keep-data-of-waits.ts';

/** Every migration, by name; they run in the order of the names. */
export const migrations: Record<string, AnyMigration> = {
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
  '20261120T1321-create-credential-consents': createCredentialConsents,
  '20261120T1322-let-audit-lines-expire': letAuditLinesExpire,
  '20261120T1323-index-idempotency-keys': indexIdempotencyKeys,
  '20261120T1330-create-binary-data': createBinaryData,
  '20261120T1340-suspend-executions': suspendExecutions,
  '20261120T1351-create-seen-values': createSeenValues,
  '20261120T1352-discard-executions': discardExecutions,
  '20261120T1353-create-variables': createVariables,
  '20261120T1410-keep-idempotency-keys': keepIdempotencyKeys,
  '20261120T1421-create-triggers': createTriggers,
  '20261120T1424-create-webhooks': createWebhooks,
  '20261120T1641-poll-and-listen': pollAndListen,
  '20261120T1644-route-forms': routeForms,
  '20261120T1642-create-registrations': createRegistrations,
  '20261120T1643-note-foreign-types': noteForeignTypes,
  '20261120T1645-create-test-urls': createTestUrls,
  '20261120T1752-answer-resuming-calls': answerResumingCalls,
  '20261120T1753-note-types-of-sources': noteTypesOfSources,
  '20261120T1754-note-begun-registrations': noteBegunRegistrations,
  '20261122T1510-number-webhook-routes': numberWebhookRoutes,
  '20261122T1556-follow-renamed-nodes': followRenamedNodes,
  '20261123T0550-count-stored-bytes': countStoredBytes,
  '20261123T0630-bound-keys-to-parents': boundKeysToParents,
  '20261123T0631-keep-ids-of-deleted-workflows': keepIdsOfDeletedWorkflows,
  '20261123T1525-queue-fairly': queueFairly,
  '20261123T1531-create-execution-limits': createExecutionLimits,
  '20261123T1841-create-execution-statistics': createExecutionStatistics,
  '20261123T1855-report-worker-load': reportWorkerLoad,
  '20261123T1906-create-event-subscriptions': createEventSubscriptions,
  '20261123T2310-create-data-tables': createDataTables,
  '20261124T0910-create-chat-sessions': createChatSessions,
  '20261128T0309-create-sign-in-links': createSignInLinks,
  '20261128T0319-note-calling-uses': noteCallingUses,
  '20261128T1950-check-graphs': checkGraphs,
  '20261128T2006-count-ai-usage': countAiUsage,
  '20261129T0622-count-less-when-new': countLessWhenNew,
  '20261129T1148-count-files-at-start': countFilesAtStart,
  '20261129T1602-events-of-moved-workflows': eventsOfMovedWorkflows,
  '20261130T1041-trim-tag-names': trimTagNames,
  '20261130T1339-end-unclaimed-executions': endUnclaimedExecutions,
  '20261130T2241-count-hand-backs': countHandBacks,
  '20261130T2321-keep-data-of-waits': keepDataOfWaits,
};
