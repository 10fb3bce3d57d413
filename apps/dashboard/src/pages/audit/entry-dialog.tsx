import { Fragment } from 'react';
import { Button } from '../../ui/button.tsx';
import { CodeView } from '../../ui/code-view.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatInstant } from '../../ui/format.ts';
import type { AuditFilter } from './audit-filter.ts';
import type { AuditEntry } from './audit-queries.ts';

interface EntryDialogProps {
  entry: AuditEntry;
  onClose(): void;
  onFilter(filter: AuditFilter): void;
}

/** All details of one log entry, with links to the entries of its user and object. */
export function EntryDialog({ entry, onClose, onFilter }: EntryDialogProps) {
  const { action, at, details, objectId, actor } = entry;
  const footer = (
    <>
      {actor !== null && <Button onClick={() => onFilter({ actor })}>Same user</Button>}
      {objectId !== null && <Button onClick={() => onFilter({ object: objectId })}>Same object</Button>}
      <Button onClick={onClose}>Close</Button>
    </>
  );
  return (
    <Dialog onClose={onClose} title={action} description={formatInstant(Date.parse(at))} footer={footer}>
      <dl className="facts">
        {factsOf(entry).map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
      {details !== null && <CodeView label="Details" text={JSON.stringify(details, undefined, 2)} />}
    </Dialog>
  );
}

function factsOf(entry: AuditEntry): [string, string][] {
  const { outcome, actor, userId, keyId, ip, requestId, objectType, objectId, objectName, projectId } = entry;
  const facts: [string, string | null][] = [
    ['Outcome', outcome],
    ['Actor', actor],
    ['User ID', userId],
    ['Key ID', keyId],
    ['Address', ip],
    ['Request ID', requestId],
    ['Object', objectType],
    ['Object ID', objectId],
    ['Object name', objectName],
    ['Project ID', projectId],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}
