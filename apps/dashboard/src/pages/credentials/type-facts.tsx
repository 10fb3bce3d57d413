import { ExternalLink } from 'lucide-react';
import { Card } from '../../ui/page.tsx';
import type { CredentialTypeSummary } from './credential-queries.ts';

const effects: Record<string, string> = {
  request: 'added to HTTP requests',
  challenge: 'answers the challenge of a server',
  token: 'the service gets and renews a token',
  consent: 'a user grants access in the browser',
};

/** The name, identifier, use, and documentation of a credential type. */
export function TypeFacts({ type }: { type: CredentialTypeSummary }) {
  const { name, displayName, authentication, documentationUrl } = type;
  return (
    <Card title="Type">
      <dl className="facts card-body">
        <dt>Name</dt>
        <dd>{displayName}</dd>
        <dt>Identifier</dt>
        <dd>
          <code>{name}</code>
        </dd>
        <dt>Use</dt>
        <dd>
          {authentication.length === 0
            ? 'by nodes that connect with their own protocol'
            : authentication.map((kind) => effects[kind] ?? kind).join('; ')}
        </dd>
        {documentationUrl && (
          <>
            <dt>More</dt>
            <dd>
              <a className="link" href={documentationUrl} target="_blank" rel="noopener noreferrer">
                Documentation <ExternalLink size={11} />
                <span className="sr-only">(opens a new tab)</span>
              </a>
            </dd>
          </>
        )}
      </dl>
    </Card>
  );
}
