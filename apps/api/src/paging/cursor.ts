import { isExecutionId, isId } from '@sluice/domain';
import { invalidCursor } from './page-cursors.ts';

/** Each list has its own kind, so that its cursors are invalid for other lists. */
export interface CursorShape {
  executions: { id: string };
  audit: { id: string };
  workflows: { id: string; at: string };
  users: { id: string; at: string };
  projects: { id: string; at: string };
  tags: { id: string; at: string };
  workflowVersions: { id: string; at: string };
  nodeTypes: { name: string };
  credentialTypes: { name: string };
  dataTables: { id: string; at: string };
  /** `key`: empty, or `=` and the sort key. */
  dataRows: { id: string; key: string };
  eventSubscriptions: { id: string; at: string };
  eventDeliveries: { id: string; at: string };
}

const byName = { name: (text: string) => /^[\w.@/-]{1,128}$/.test(text) };
const byCreation = { id: isId, at: (text: string) => /^-?\d{1,17}$/.test(text) };

const fields: { [Kind in keyof CursorShape]: Record<keyof CursorShape[Kind], (text: string) => boolean> } = {
  executions: { id: isExecutionId },
  audit: { id: isExecutionId },
  workflows: byCreation,
  users: byCreation,
  projects: byCreation,
  tags: byCreation,
  workflowVersions: byCreation,
  nodeTypes: byName,
  credentialTypes: byName,
  dataTables: byCreation,
  dataRows: { id: (text) => /^\d{1,16}$/.test(text), key: (text) => text === '' || text.startsWith('=') },
  eventSubscriptions: byCreation,
  eventDeliveries: byCreation,
};

/** base64url of JSON; `PageCursors` signs it before a caller gets it. */
export function encodeCursor<Kind extends keyof CursorShape>(kind: Kind, position: CursorShape[Kind]): string {
  return Buffer.from(JSON.stringify({ kind, ...position })).toString('base64url');
}

/** Throws `ValidationError` for text that `encodeCursor` did not create for this kind. */
export function decodeCursor<Kind extends keyof CursorShape>(kind: Kind, cursor: string): CursorShape[Kind] {
  const parsed = parse(cursor);
  const position: Record<string, string> = {};
  for (const [name, fits] of Object.entries<(text: string) => boolean>(fields[kind])) {
    const value = Object.hasOwn(parsed, name) ? parsed[name] : undefined;
    if (parsed['kind'] !== kind || typeof value !== 'string' || !fits(value)) throw invalidCursor();
    position[name] = value;
  }
  return position as unknown as CursorShape[Kind];
}

function parse(cursor: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>;
  } catch {
    // falls through: not a cursor of this API
  }
  throw invalidCursor();
}
