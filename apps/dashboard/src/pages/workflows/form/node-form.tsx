import { isDisplayed, type NodeProperty, withDefaults } from '@sluice/node-sdk/display';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { messageOf } from '../../../data/errors.ts';
import { latestVersion } from '../../../data/node-type-facts.ts';
import type { NodeType } from '../../../data/node-types.ts';
import { nodeType } from '../../../data/node-types.ts';
import { Field, SelectField } from '../../../ui/fields.tsx';
import { Loading } from '../../../ui/states.tsx';
import { withCode } from '../../../ui/with-code.tsx';
import type { Changes, GraphNode } from '../model/graph.ts';
import { FormScope, NodeNameScope } from './form-context.ts';
import { JsonInput } from './inputs.tsx';
import { PropertyList } from './property-list.tsx';
import { useCredentials, useCredentialTypeNames } from './use-credentials.ts';
import type { Value, Values } from './values.ts';

interface NodeFormProps {
  node: GraphNode;
  onChange(change: Changes<GraphNode>, key: string): void;
}

/** Fields for a node's parameters, from the description of its type. */
export function NodeForm({ node, onChange }: NodeFormProps) {
  const type = useQuery(nodeType(node.type));
  if (type.data) return <KnownForm node={node} type={type.data} onChange={onChange} />;
  if (!type.error) return <Loading rows={5} />;
  return (
    <div className="inspector-body">
      <p className="notice" data-tone="waiting">
        The form of this node cannot be shown: {messageOf(type.error)}. The parameters can be edited as JSON.
      </p>
      <Field label="Parameters">
        {(ids) => (
          <JsonInput
            ids={ids}
            property={{ displayName: 'Parameters', name: 'parameters', type: 'json', default: {} }}
            value={node.parameters}
            onChange={(parameters: Value) => onChange({ parameters }, 'parameters')}
          />
        )}
      </Field>
    </div>
  );
}

function KnownForm({ node, type, onChange }: NodeFormProps & { type: NodeType }) {
  const properties = type.properties as unknown as NodeProperty[];
  const typeVersion = node.typeVersion ?? (type as { defaultVersion?: number }).defaultVersion ?? latestVersion(type);
  const parameters = useMemo<Values>(
    () => withDefaults(properties, node.parameters as Parameters<typeof withDefaults>[1], typeVersion),
    [properties, node.parameters, typeVersion],
  );
  const scope = useMemo(() => ({ node, type: type.type, typeVersion, parameters }), [node, type, typeVersion, parameters]);
  const isVisible = ({ displayOptions }: Pick<NodeProperty, 'displayOptions'>) =>
    isDisplayed(displayOptions, {
      siblings: parameters as Parameters<typeof withDefaults>[1],
      parameters: parameters as Parameters<typeof withDefaults>[1],
      typeVersion,
    });
  const declared = (
    (type.credentials ?? []) as unknown as {
      name: string;
      required?: boolean;
      displayOptions?: NonNullable<NodeProperty['displayOptions']>;
    }[]
  )
    .filter(isVisible)
    .map(({ name, required = false }) => ({ name, required }));
  const chosen = properties
    .filter((property) => property.type === 'credentialsSelect' && isVisible(property))
    .map(({ name }) => String(parameters[name] ?? ''))
    .filter(Boolean);
  return (
    <NodeNameScope value={node.name}>
      <FormScope value={scope}>
        <div className="inspector-body">
          {type.description && <p className="field-hint">{withCode(type.description)}</p>}
          {credentialFields(declared, chosen).map((types) => (
            <CredentialField key={types.join()} types={types} node={node} onChange={onChange} />
          ))}
          <PropertyList
            properties={properties}
            values={node.parameters as Values}
            onChange={(next) => onChange({ parameters: next as GraphNode['parameters'] }, 'parameters')}
          />
          {properties.length === 0 && <p className="muted">This node has no parameters.</p>}
        </div>
      </FormScope>
    </NodeNameScope>
  );
}

/** The credential types of each field. If all types are optional, a node uses one of them. */
function credentialFields(declared: readonly { name: string; required: boolean }[], chosen: readonly string[]): string[][] {
  const required = declared.filter((one) => one.required).map(({ name }) => [name]);
  const optional = declared.filter((one) => !one.required).map(({ name }) => name);
  const others = chosen.filter((name) => !declared.some((one) => one.name === name)).map((name) => [name]);
  return [...required, ...(optional.length > 0 ? [optional] : []), ...others];
}

function CredentialField({ types, node, onChange }: NodeFormProps & { types: readonly string[] }) {
  const nameOf = useCredentialTypeNames();
  const credentials = useCredentials().data?.filter(({ type }) => types.includes(type)) ?? [];
  const current = types.flatMap((type) => node.credentials?.[type] ?? [])[0];
  const isKnown = credentials.some(({ id }) => id === current?.id);
  const choose = (id: string) => {
    const others = Object.fromEntries(Object.entries(node.credentials ?? {}).filter(([type]) => !types.includes(type)));
    const credential = credentials.find((one) => one.id === id);
    onChange(
      { credentials: credential ? { ...others, [credential.type]: { id, name: credential.name } } : others },
      'credentials',
    );
  };
  const [only] = types;
  return (
    <SelectField
      label={types.length === 1 ? `Credential for ${nameOf(only as string)}` : 'Credential'}
      hint={
        <>
          New:{' '}
          {types.map((type, index) => (
            <span key={type}>
              {index > 0 && ', '}
              {/* A tab that this one opens has a copy of its session. The draft stays here. */}
              <a
                className="link"
                href={`credentials/new?type=${encodeURIComponent(type)}`}
                target="_blank"
                rel="noopener opener"
              >
                {nameOf(type)}
              </a>
            </span>
          ))}{' '}
          (in a new tab)
        </>
      }
      value={current?.id ?? ''}
      options={[
        { value: '', label: credentials.length === 0 ? 'None yet' : 'None' },
        ...(current?.id && !isKnown ? [{ value: current.id, label: current.name ?? current.id }] : []),
        ...credentials.map(({ id, name, type }) => ({
          value: id,
          label: types.length === 1 ? name : `${name} (${nameOf(type)})`,
        })),
      ]}
      onChange={choose}
    />
  );
}
