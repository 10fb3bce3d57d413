import { useContext, useRef } from 'react';
import { Field, type FieldIds } from '../../../ui/fields.tsx';
import { withCode } from '../../../ui/with-code.tsx';
import { ExpressionInput } from './expression-input.tsx';
import { NodeNameScope } from './form-context.ts';
import { BooleanInput, ChoiceInput, CredentialTypeInput, DateInput, JsonInput, NumberInput, TextInput } from './inputs.tsx';
import { isLocator } from './locator.ts';
import { MultiChoiceInput } from './multi-choice-input.tsx';
import type { PropertyFieldProps } from './property-list.tsx';
import { ResourceLocatorInput } from './resource-locator-input.tsx';
import { isExpression, toExpression, toFixed, type Value } from './values.ts';

export interface InputProps extends PropertyFieldProps {
  ids: FieldIds;
}

/** A single value, fixed or an expression. */
export function ScalarField({ property, value, onChange }: PropertyFieldProps) {
  const nodeName = useContext(NodeNameScope);
  const isDynamic = isExpression(value);
  // A typed `=` replaces the input with an expression input, which then gets the focus.
  const isTyped = useRef(false);
  const type = (next: Value) => {
    isTyped.current = isExpression(next);
    onChange(next);
  };
  const canBeDynamic = property.type !== 'credentialsSelect';
  return (
    <div className="scalar" data-dynamic={isDynamic}>
      <Field
        label={property.displayName}
        hint={property.description ? withCode(property.description) : undefined}
        required={property.required}
      >
        {(ids) =>
          isDynamic ? (
            <ExpressionInput ids={ids} value={value} onChange={onChange} nodeName={nodeName} autoFocus={isTyped.current} />
          ) : (
            <FixedInput ids={ids} property={property} value={value} onChange={type} />
          )
        }
      </Field>
      {canBeDynamic && (
        <button
          type="button"
          className="expression-toggle"
          aria-pressed={isDynamic}
          aria-label={`${property.displayName}: expression ƒx`}
          title={isDynamic ? 'Use a fixed value' : 'Use an expression'}
          onClick={() => onChange(isDynamic ? toFixed(value, property) : toExpression(value))}
        >
          ƒx
        </button>
      )}
    </div>
  );
}

function FixedInput(props: InputProps) {
  const { property, value } = props;
  if (isLocator(property, value)) return <ResourceLocatorInput {...props} />;
  switch (property.type) {
    case 'number':
      return <NumberInput {...props} />;
    case 'boolean':
      return <BooleanInput {...props} />;
    case 'options':
      return <ChoiceInput {...props} />;
    case 'multiOptions':
      return <MultiChoiceInput {...props} />;
    case 'json':
      return <JsonInput {...props} />;
    case 'dateTime':
      return <DateInput {...props} />;
    case 'credentialsSelect':
      return <CredentialTypeInput {...props} />;
    default:
      return typeof value === 'object' && value !== null ? <JsonInput {...props} /> : <TextInput {...props} />;
  }
}
