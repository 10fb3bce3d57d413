import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleAlert, Package } from 'lucide-react';
import { Card, Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { type NodePackage, packageList } from './node-type-queries.ts';
import './node-types.css';

/** Packages found at the start, and why one was rejected; for owners and admins. */
export function PackagesPage() {
  const packages = useQuery(packageList);
  return (
    <Page title="Packages" after={packages.data && <span className="muted">{packages.data.data.length}</span>}>
      <Loaded query={packages}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon={<Package size={20} />} title="No packages are installed">
              The built-in nodes are always there. Install more with <code>sluice nodes</code> on the machine of the service.
            </Empty>
          ) : (
            <div className="stack">
              {data.map((nodePackage) => (
                <PackageCard key={nodePackage.name} nodePackage={nodePackage} />
              ))}
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}

function PackageCard({
  nodePackage: { name, version, status, nodeTypes, credentialTypes, skipped, reason },
}: {
  nodePackage: NodePackage;
}) {
  const isLoaded = status === 'loaded';
  return (
    <Card
      title={
        <span className="row">
          {name}
          {version && <code className="muted">{version}</code>}
        </span>
      }
      actions={<Badge tone={isLoaded ? 'success' : 'error'}>{isLoaded ? 'Loaded' : 'Failed'}</Badge>}
    >
      <div className="card-body">
        {reason && (
          <div className="notice" data-tone="error">
            <CircleAlert size={16} />
            <p>{reason}</p>
          </div>
        )}
        {skipped.map((problem) => (
          <div key={problem} className="notice" data-tone="waiting">
            <CircleAlert size={16} />
            <p>Skipped: {problem}</p>
          </div>
        ))}
        <Names title="Node types">
          {nodeTypes.map((type) => (
            <Link key={type} to="/node-types/$type" params={{ type }} className="link">
              {type}
            </Link>
          ))}
        </Names>
        <Names title="Credential types">
          {credentialTypes.map((type) => (
            <Link key={type} to="/credentials/new" search={{ type }} className="link">
              {type}
            </Link>
          ))}
        </Names>
      </div>
    </Card>
  );
}

function Names({ title, children }: { title: string; children: React.ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <div className="stack-small">
      <h3>
        {title} · {children.length}
      </h3>
      <div className="row wrap">{children}</div>
    </div>
  );
}
