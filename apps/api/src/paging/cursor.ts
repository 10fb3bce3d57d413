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

/** base64url of JSON. `PageCursors` signs it before a caller gets it, so only cursors of this API come back. */
export function encodeCursor<Kind extends keyof CursorShape>(kind: Kind, position: CursorShape[Kind]): string {
  return Buffer.from(JSON.stringify({ kind, ...position })).toString('base64url');
}

/** Throws `ValidationError` for the cursor of another list. */
export function decodeCursor<Kind extends keyof CursorShape>(kind: Kind, cursor: string): CursorShape[Kind] {
  const position = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as { kind: string } & CursorShape[Kind];
  if (position.kind !== kind) throw invalidCursor();
  return position;
}
