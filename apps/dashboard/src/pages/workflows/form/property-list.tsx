import { isDisplayed, type NodeProperty, withDefaults } from '@sluice/node-sdk/display';
import { memo, type ReactNode } from 'react';
import { ownValue } from '../../../data/own-value.ts';
import { useStable } from '../../../ui/use-stable.ts';
import { withCode } from '../../../ui/with-code.tsx';
import { AssignmentsField } from './assignments-field.tsx';
import { CollectionField } from './collection-field.tsx';
import { FilterField } from './filter-field.tsx';
import { CollectionListField, FixedCollectionField } from './fixed-collection-field.tsx';
import { useForm } from './form-context.ts';
import { ScalarField } from './scalar-field.tsx';
import { isMultiple, type Value, type Values } from './values.ts';

interface PropertyListProps {
  properties: readonly NodeProperty[];
  /** Values of the enclosing object, without defaults. */
  values: Values;
  onChange(values: Values): void;
}

/** Fields for all visible properties. */
export function PropertyList({ properties, values, onChange }: PropertyListProps) {
  const { parameters, typeVersion } = useForm();
  const siblings = withDefaults(properties, values, typeVersion, parameters);
  const change = useStable((name: string, value: Value) => onChange({ ...values, [name]: value }));
  const names = new Set<string>();
  const visible = properties.filter(({ name, type, displayOptions }) => {
    if (type === 'hidden' || names.has(name)) return false;
    const isVisible = isDisplayed(displayOptions, { siblings, parameters, typeVersion });
    if (isVisible) names.add(name);
    return isVisible;
  });
  return (
    <div className="properties">
      {visible.map((property) => (
        <Member
          key={`${property.name} ${property.type}`}
          property={property}
          value={ownValue(values, property.name) ?? property.default}
          onChange={change}
        />
      ))}
    </div>
  );
}

interface MemberProps {
  property: NodeProperty;
  value: Value;
  /** Stable. */
  onChange(name: string, value: Value): void;
}

/** Rendered again only when its value changes: a form may have hundreds of fields. */
const Member = memo(({ property, value, onChange }: MemberProps) => (
  <PropertyField property={property} value={value} onChange={(next) => onChange(property.name, next)} />
));

/** Frame of a property with fields of its own. */
export function PropertyGroup({ property, children }: { property: NodeProperty; children: ReactNode }) {
  return (
    <fieldset className="group">
      <legend>{property.displayName}</legend>
      {property.description && <p className="field-hint">{withCode(property.description)}</p>}
      {children}
    </fieldset>
  );
}

export interface PropertyFieldProps {
  property: NodeProperty;
  value: Value;
  onChange(value: Value): void;
}

export function PropertyField(props: PropertyFieldProps) {
  switch (props.property.type) {
    case 'notice':
      return (
        <p className="notice" data-tone="waiting">
          {props.property.displayName}
        </p>
      );
    case 'collection':
      return isMultiple(props.property) ? <CollectionListField {...props} /> : <CollectionField {...props} />;
    case 'fixedCollection':
      return <FixedCollectionField {...props} />;
    case 'filter':
      return <FilterField {...props} />;
    case 'assignmentCollection':
      return <AssignmentsField {...props} />;
    default:
      return <ScalarField {...props} />;
  }
}
