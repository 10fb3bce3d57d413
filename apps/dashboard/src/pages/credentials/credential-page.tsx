import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { ArrowRightLeft, Share2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Credential } from '../../data/credentials.ts';
import { labelOf, projectList } from '../../data/projects.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Pending } from '../../ui/states.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { ConnectCard } from './connect-card.tsx';
import { type CredentialType, credential as credentialQuery, credentialType } from './credential-queries.ts';
import './credentials.css';
import { DataCard } from './data-card.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { LimitsCard } from './limits-card.tsx';
import { ShareDialog, TransferDialog } from './share-dialogs.tsx';
import { TypeFacts } from './type-facts.tsx';

/** One credential: its data without secrets, who may use it, and its limits. */
export function CredentialPage() {
  const { credentialId = '' } = useParams({ strict: false });
  const query = useQuery(credentialQuery(credentialId));
  const type = useQuery({ ...credentialType(query.data?.type ?? ''), enabled: query.data !== undefined });
  if (query.data && type.data) return <Loaded credential={query.data} type={type.data} />;
  return (
    <Page title={query.data?.name ?? 'Credential'} before={back}>
      <Pending query={query.data ? type : query} rows={8} />
    </Page>
  );
}

const back = <BackLink to="/credentials" label="All credentials" />;

type Dialog = 'share' | 'transfer' | 'delete';

interface LoadedProps {
  credential: Credential;
  type: CredentialType;
}

function Loaded({ credential, type }: LoadedProps) {
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const may = (scope: string) => credential.scopes?.some((one) => one === scope) ?? false;
  const canUpdate = may('credential:update') && !credential.isManaged;
  return (
    <Page
      title={credential.name}
      before={back}
      after={<Badge>{type.displayName}</Badge>}
      actions={
        <>
          <Button icon={<Share2 size={14} />} disabled={!may('credential:share')} onClick={() => setDialog('share')}>
            Share
          </Button>
          <Button
            icon={<ArrowRightLeft size={14} />}
            disabled={!may('credential:update')}
            onClick={() => setDialog('transfer')}
          >
            Transfer
          </Button>
          <Button
            kind="danger"
            icon={<Trash2 size={14} />}
            disabled={!may('credential:delete')}
            onClick={() => setDialog('delete')}
          >
            Delete
          </Button>
        </>
      }
    >
      <div className="columns">
        <DataCard key={credential.id} credential={credential} type={type} canUpdate={canUpdate} />
        <div className="stack">
          {type.connectsByOAuth2 && <ConnectCard credential={credential} canConnect={canUpdate} />}
          <About credential={credential} />
          <LimitsCard key={credential.id} credential={credential} canUpdate={canUpdate} />
          <TypeFacts type={type} />
        </div>
      </div>
      {dialog === 'share' && <ShareDialog credential={credential} onClose={close} />}
      {dialog === 'transfer' && <TransferDialog credential={credential} onClose={close} />}
      {dialog === 'delete' && (
        <DeleteDialog
          credential={credential}
          onClose={close}
          onDeleted={() => void navigate({ to: '/credentials', ignoreBlocker: true })}
        />
      )}
    </Page>
  );
}

function About({ credential }: { credential: Credential }) {
  const projects = useQuery(projectList).data;
  const project = projects?.find(({ id }) => id === credential.projectId);
  return (
    <Card title="About">
      <dl className="facts card-body">
        <dt>ID</dt>
        <dd className="row">
          <code className="truncate">{credential.id}</code>
          <CopyButton text={credential.id} label="Copy the ID" />
        </dd>
        <dt>Project</dt>
        <dd>{project ? labelOf(project) : credential.projectId}</dd>
        <dt>Usable in</dt>
        <dd>{credential.isGlobal ? 'every project' : 'its project, and those it is shared with'}</dd>
        <dt>Created</dt>
        <dd>
          <Time at={credential.createdAt} />
        </dd>
        <dt>Changed</dt>
        <dd>
          <Time at={credential.updatedAt} />
        </dd>
      </dl>
    </Card>
  );
}
