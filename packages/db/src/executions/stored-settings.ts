import type { WorkflowSettings } from '@sluice/domain';
import { sql } from 'kysely';

/**
 * The settings of a graph `g`. Postgres reads no part of a JSON document in which any string has an escaped NUL or
 * half of a surrogate pair. So each `\u` becomes `\b`, which is valid in the same places; settings that
 * decide about calls have no such characters.
 */
export const storedSettings = sql<WorkflowSettings | null>`replace(g.content::text, '\\u', '\\b')::json -> 'settings'`;
