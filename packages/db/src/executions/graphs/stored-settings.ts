import type { WorkflowSettings } from '@sluice/domain';
import { sql } from 'kysely';

/**
 * The settings of a graph `g`. Postgres cannot read any part of a JSON document if one of its
 * strings contains an escaped NUL or half of a surrogate pair. So each `\u` becomes `\b`, which is
 * valid in the same places. The settings that decide who may call a workflow contain no such
 * characters.
 */
export const storedSettings = sql<WorkflowSettings | null>`replace(g.content::text, '\\u', '\\b')::json -> 'settings'`;
