import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, ExternalLink, Link2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Schemas } from '../../data/api.ts';
import type { Credential } from '../../data/credentials.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Card } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useSubmit } from '../../ui/use-action.ts';
import { startConsent } from './credential-queries.ts';

/** Milliseconds between checks whether the user has granted access. */
const lookMs = 2_000;
const callbackUrl = new URL('oauth2/callback', document.baseURI).href;

type Started = Schemas['StartedConsent'] & { changedAt: string };

/** Sends the user to the service to grant access, and notices when that is done. */
export function ConnectCard({ credential, canConnect }: { credential: Credential; canConnect: boolean }) {
  const { id, data, updatedAt } = credential;
  const isConnected = data?.['oauthTokenData'] !== undefined;
  const [started, setStarted] = useState<Started>();
  const isWaiting = started !== undefined && started.changedAt === updatedAt;
  useLooking(isWaiting, started?.expiresAt);
  useEffect(() => {
    if (started === undefined || isWaiting) return;
    setStarted(undefined);
    if (isConnected) toast.success('Credential connected');
  }, [started, isWaiting, isConnected]);
  const connect = useSubmit(async () => {
    const consent = await startConsent(id);
    setStarted({ ...consent, changedAt: updatedAt });
    window.open(consent.authorizationUrl, '_blank', 'noopener');
  });
  return (
    <Card title="Connection">
      <div className="card-body">
        <p className="test-result" data-tone={isConnected ? 'success' : 'waiting'} role="status">
          {isConnected ? <CircleCheck size={15} /> : <CircleAlert size={15} />}
          {isConnected ? 'Connected' : 'Not connected yet'}
        </p>
        <div className="field">
          <span className="muted small">Register this redirect URL at the service:</span>
          <span className="row">
            <code className="truncate">{callbackUrl}</code>
            <CopyButton text={callbackUrl} label="Copy the redirect URL" />
          </span>
        </div>
        {isWaiting && (
          <p>
            Grant access in the new tab; this page notices it.{' '}
            <a className="link" href={started.authorizationUrl} target="_blank" rel="noopener noreferrer">
              Open it again <ExternalLink size={11} />
            </a>
          </p>
        )}
        {connect.error !== undefined && <ErrorState error={connect.error} />}
      </div>
      {canConnect && (
        <div className="card-footer">
          <Button
            kind={isConnected ? 'secondary' : 'primary'}
            icon={<Link2 size={14} />}
            busy={connect.isBusy}
            onClick={connect.run}
          >
            {isConnected ? 'Connect again' : 'Connect'}
          </Button>
        </div>
      )}
    </Card>
  );
}

function useLooking(active: boolean, until: string | undefined): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!active || until === undefined) return;
    const timer = setInterval(() => {
      if (Date.now() > Date.parse(until)) return clearInterval(timer);
      void client.invalidateQueries({ queryKey: ['credentials', 'one'] });
    }, lookMs);
    return () => clearInterval(timer);
  }, [active, until, client]);
}
