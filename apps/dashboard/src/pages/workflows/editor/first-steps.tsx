import { Plus } from 'lucide-react';
import type { NodeType } from '../../../data/node-types.ts';
import { Button } from '../../../ui/button.tsx';
import { NodeIcon } from '../../../ui/node-icon.tsx';
import { Empty, Loading } from '../../../ui/states.tsx';

/** Triggers that most workflows start with, and when they do. */
const common: readonly [type: string, when: string][] = [
  ['base.manual-trigger', 'When you press Run'],
  ['base.schedule-trigger', 'At set times'],
  ['base.webhook', 'When a request arrives'],
  ['base.form-trigger', 'When a form is submitted'],
];

interface FirstTriggerProps {
  types: ReadonlyMap<string, NodeType>;
  isLoading: boolean;
  onChoose(type: NodeType): void;
  onOther(): void;
}

/** An empty canvas offers the triggers. */
export function FirstTrigger({ types, isLoading, onChoose, onOther }: FirstTriggerProps) {
  const offered = common.flatMap(([name, when]) => {
    const type = types.get(name);
    return type ? [{ type, when }] : [];
  });
  return (
    <div className="canvas-empty">
      <Empty title="How does this workflow start?">Choose its trigger. Then add the steps after it.</Empty>
      {isLoading && <Loading rows={2} />}
      <div className="trigger-choices">
        {offered.map(({ type, when }) => (
          <button key={type.type} type="button" className="trigger-choice" onClick={() => onChoose(type)}>
            <NodeIcon type={type.type} size={18} />
            <span>
              <strong>{type.displayName}</strong>
              <span className="muted small">{when}</span>
            </span>
          </button>
        ))}
      </div>
      <Button icon={<Plus size={15} />} onClick={onOther}>
        Other triggers
      </Button>
    </div>
  );
}

/** The next step for a workflow that has triggers only. */
export function FirstStep({ onAdd }: { onAdd(): void }) {
  return (
    <div className="canvas-hint">
      <span>Next: a step that reads, changes, or sends data.</span>
      <Button kind="primary" icon={<Plus size={15} />} onClick={onAdd}>
        Add a step
      </Button>
    </div>
  );
}
