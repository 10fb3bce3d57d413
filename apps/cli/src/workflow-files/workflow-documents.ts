import { isJsonObject, type JsonObject } from '@sluice/domain';
import { parseInput } from '../parse-input.ts';

/** Properties that contain workflows in database dumps, templates, and API responses. */
const wrappers = ['workflow', 'workflows', 'data'] as const;
const maxWrappers = 3;

/**
 * Finds the workflows in the content of a file: one, an array, or either inside a wrapper. Throws
 * an error with the reason if it contains no workflow.
 */
export function workflowDocuments(text: string): JsonObject[] {
  const documents = unwrapped(parseInput(text, 'it'), maxWrappers);
  if (documents.length === 0) throw new Error('it contains no workflow');
  return documents;
}

function unwrapped(value: unknown, depth: number): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap((entry) => unwrapped(entry, depth));
  if (!isJsonObject(value)) return [];
  if (Array.isArray(value['nodes'])) return [value];
  return depth === 0 ? [] : wrappers.flatMap((name) => unwrapped(value[name], depth - 1));
}
