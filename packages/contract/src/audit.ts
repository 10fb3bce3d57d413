import { pageOf, pageQuery } from './page.ts';
import { type Static, Type } from './schema-builder.ts';
import { instant, jsonObject, nullable, oneOf, storableText, timestamp } from './schema-helpers.ts';

const text = (description: string) => nullable(Type.String({ description }));
const filterText = (description: string, example: string) =>
  Type.Optional(Type.String({ ...storableText, maxLength: 256, description, examples: [example] }));

export const auditEntryView = Type.Object(
  {
    id: Type.String({ description: 'decimal; increases with time' }),
    at: timestamp,
    actor: text('email of the user, `cli:` and the user of the machine, or the kind of the process; null: unknown'),
    userId: nullable(Type.String()),
    keyId: text('the API key that was used'),
    ip: nullable(Type.String()),
    requestId: nullable(Type.String()),
    action: Type.String({ description: '`<object type>.<verb>`, for example `workflow.create`' }),
    objectType: nullable(Type.String()),
    objectId: nullable(Type.String()),
    objectName: text('its name at that time'),
    projectId: nullable(Type.String()),
    outcome: oneOf(['success', 'denied', 'failed']),
    details: nullable(jsonObject),
  },
  { title: 'AuditEntry' },
);
export type AuditEntryView = Static<typeof auditEntryView>;

export const auditPage = pageOf(auditEntryView);

export const listAuditQuery = Type.Object({
  ...pageQuery,
  since: Type.Optional(
    Type.String({ ...instant, description: 'entries at or after this time', examples: ['2026-11-20T09:30:00.000Z'] }),
  ),
  actor: filterText('email or id of a user, or id of a key', 'ada@example.com'),
  object: filterText('type, id, or name of an object, id of a project, or id of a deleted execution', '2tUt1wbLX592XDdX'),
});
export type ListAuditQuery = Static<typeof listAuditQuery>;
