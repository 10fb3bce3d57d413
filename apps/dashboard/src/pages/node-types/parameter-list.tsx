import { counted } from '../../ui/format.ts';
import { Badge } from '../../ui/status-badge.tsx';
import { withCode } from '../../ui/with-code.tsx';
import type { Parameter } from './describe.ts';

/** Parameters and their nested parameters. Collections are collapsed. */
export function ParameterList({ parameters }: { parameters: readonly Parameter[] }) {
  return (
    <ul className="parameters">
      {parameters.map((parameter, index) => (
        // Names repeat: a parameter may be declared once per condition.
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order
        <li key={`${parameter.name} ${index}`}>
          <ParameterEntry parameter={parameter} />
        </li>
      ))}
    </ul>
  );
}

function ParameterEntry({ parameter }: { parameter: Parameter }) {
  const { name, label, type, required, description, initial, choices, conditions, parts } = parameter;
  return (
    <>
      <div className="row wrap">
        <strong>{label}</strong>
        <code className="muted">{name}</code>
        <Badge>{type}</Badge>
        {required && <Badge tone="waiting">required</Badge>}
      </div>
      {description && <p className="muted">{withCode(description)}</p>}
      {initial !== undefined && (
        <p className="small">
          Default <code>{initial}</code>
        </p>
      )}
      {choices.length > 0 && (
        <p className="small">
          One of <code>{choices.join(', ')}</code>
        </p>
      )}
      {conditions.length > 0 && <p className="small muted">Applies where {conditions.join(', and ')}.</p>}
      {parts.length > 0 && (
        <details>
          <summary>{counted(parts.length, 'parameter')}</summary>
          <ParameterList parameters={parts} />
        </details>
      )}
    </>
  );
}
