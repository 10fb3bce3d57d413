import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/fields.tsx';
import type { Scope } from './key-queries.ts';
import { groupScopes, readOnly, verbOf } from './scopes.ts';

interface ScopePickerProps {
  all: readonly Scope[];
  chosen: readonly Scope[];
  onChange(scopes: Scope[]): void;
}

export function ScopePicker({ all, chosen, onChange }: ScopePickerProps) {
  const toggle = (scope: Scope, isChosen: boolean) =>
    onChange(all.filter((one) => (one === scope ? isChosen : chosen.includes(one))));
  return (
    <fieldset>
      <legend className="scope-legend">Scopes</legend>
      <div className="row scope-presets">
        <Button onClick={() => onChange([...all])}>All</Button>
        <Button onClick={() => onChange(readOnly(all))}>Read only</Button>
        <Button onClick={() => onChange([])}>None</Button>
      </div>
      <div className="scope-groups">
        {groupScopes(all).map(({ object, scopes }) => (
          <fieldset key={object} className="check-list">
            <legend className="scope-object">{object}</legend>
            {scopes.map((scope) => (
              <Checkbox
                key={scope}
                label={verbOf(scope)}
                checked={chosen.includes(scope)}
                onChange={(isChosen) => toggle(scope, isChosen)}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </fieldset>
  );
}
