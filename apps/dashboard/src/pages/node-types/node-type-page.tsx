import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { isTrigger, versionsOf } from '../../data/node-type-facts.ts';
import { type NodeType, nodeType } from '../../data/node-types.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { CodeView } from '../../ui/code-view.tsx';
import { Select } from '../../ui/fields.tsx';
import { NodeIcon } from '../../ui/node-icon.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { exampleOf, nodeSkeleton, parametersOf } from './describe.ts';
import './node-types.css';
import { withCode } from '../../ui/with-code.tsx';
import { ParameterList } from './parameter-list.tsx';

/** One node type: what it does, its parameters, and a node of it to paste. */
export function NodeTypePage() {
  const { type = '' } = useParams({ strict: false });
  const { version } = useSearch({ strict: false });
  const query = useQuery(nodeType(type));
  const description = query.data;
  return (
    <Page
      title={description?.displayName ?? type}
      before={
        <>
          <BackLink to="/node-types" label="All node types" />
          <span className="node-tile">
            <NodeIcon type={type} size={15} />
          </span>
        </>
      }
      after={description && isTrigger(description) && <Badge tone="running">Trigger</Badge>}
    >
      <Loaded query={query}>{(loaded) => <Description type={loaded} chosen={Number(version)} />}</Loaded>
    </Page>
  );
}

function Description({ type, chosen }: { type: NodeType; chosen: number }) {
  const navigate = useNavigate();
  const versions = versionsOf(type);
  const version = versions.includes(chosen) ? chosen : (versions[0] ?? 1);
  const parameters = parametersOf(type.properties, version);
  const example = exampleOf(type.type, version, versions[0]);
  const versionSelect = versions.length > 1 && (
    <Select
      aria-label="Version"
      value={String(version)}
      onChange={(next) =>
        void navigate({ to: '/node-types/$type', params: { type: type.type }, search: { version: next }, replace: true })
      }
      options={versions.map((one) => ({ value: String(one), label: `Version ${one}` }))}
    />
  );
  return (
    <div className="columns">
      <div className="stack">
        {type.description && <p className="lead">{withCode(type.description)}</p>}
        <Card title={`Parameters · ${parameters.length}`} actions={versionSelect}>
          {parameters.length === 0 ? (
            <p className="card-body muted">This node has no parameters.</p>
          ) : (
            <ParameterList parameters={parameters} />
          )}
        </Card>
      </div>
      <div className="stack">
        <Facts type={type} versions={versions} />
        <Card title={example ? 'Example' : 'In a workflow'}>
          <div className="card-body stack">
            {example && <p className="muted">{withCode(example.shows)}</p>}
            <CodeView
              label="Node as JSON"
              text={nodeSkeleton(type.type, type.displayName, { properties: type.properties, version, example })}
            />
          </div>
        </Card>
      </div>
    </div>
  );
}

function Facts({ type, versions }: { type: NodeType; versions: readonly number[] }) {
  const credentials = (type.credentials ?? []).map((one) => ({
    name: String(one['name']),
    required: one['required'] === true,
  }));
  return (
    <Card title="About">
      <dl className="facts card-body">
        <dt>Type</dt>
        <dd>
          <code>{type.type}</code>
        </dd>
        <dt>Versions</dt>
        <dd>{versions.join(', ')}</dd>
        <dt>Inputs</dt>
        <dd>{type.inputs.length === 0 ? 'none' : type.inputs.length}</dd>
        <dt>Outputs</dt>
        <dd>{type.outputs.length === 0 ? 'none' : type.outputs.length}</dd>
        {credentials.length > 0 && (
          <>
            <dt>Credentials</dt>
            <dd>
              <ul>
                {credentials.map(({ name, required }) => (
                  <li key={name}>
                    <Link to="/credentials/new" search={{ type: name }} className="link">
                      {name}
                    </Link>
                    {required && ' (required)'}
                  </li>
                ))}
              </ul>
            </dd>
          </>
        )}
      </dl>
    </Card>
  );
}
